// SPDX-License-Identifier: Apache-2.0

// Package documents translates documents of many formats with their formatting: Office files, pages, subtitles, strings
// of programs (docs/documents.md). It links a second library, libdragoman_documents.
package documents

// #cgo pkg-config: dragoman-documents
// #include <dragoman/documents.h>
// #include <stdlib.h>
//
// static void set_progress(dragoman_document_options* options, void* progress, uintptr_t user) {
//     options->progress = (dragoman_document_progress_fn)progress;
//     options->user = (void*)user;
// }
import "C"

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unsafe"

	"dragoman"
	"dragoman/internal/bridge"
)

// Options says how a document is read and written. nil has the defaults.
type Options struct {
	Format   string // such as "docx", see Format; "" (default): found from the name and the bytes
	Resume   string // a file that keeps translations until the document is written; "" (default): none
	Progress func(done, total int)
}

// Format is the format of a document, such as "docx": by its first bytes where these tell, else by the end of its name;
// "": neither tells.
func Format(name string, content []byte) string {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	format := C.dragoman_document_format(text, bytesOf(content), C.size_t(len(content)))
	if format == C.DRAGOMAN_DOCUMENT_UNKNOWN {
		return ""
	}
	return C.GoString(C.dragoman_document_format_name(format))
}

// Translate translates the file at a path and writes another one, whole or not at all. Translation options that are nil
// are the translator's own.
func Translate(ctx context.Context, translator *dragoman.Translator, path, outPath string,
	options *dragoman.TranslateOptions, document *Options) error {
	return run(ctx, translator, options, document, []string{path, outPath}, func(c call) C.dragoman_status {
		return C.dragoman_translate_document(c.translator, c.texts[0], c.texts[1], c.options, c.document)
	})
}

// TranslateBytes is Translate from memory to memory. The name, as a file would have it, helps to find the format.
func TranslateBytes(ctx context.Context, translator *dragoman.Translator, name string, content []byte,
	options *dragoman.TranslateOptions, document *Options) ([]byte, error) {
	var made *C.dragoman_document
	err := run(ctx, translator, options, document, []string{name}, func(c call) C.dragoman_status {
		return C.dragoman_translate_document_bytes(c.translator, c.texts[0], bytesOf(content), C.size_t(len(content)),
			c.options, c.document, &made)
	})
	if err != nil {
		return nil, err
	}
	defer C.dragoman_document_destroy(made)
	found := C.dragoman_document_bytes(made)
	return append([]byte{}, unsafe.Slice((*byte)(unsafe.Pointer(found.data)), int(found.size))...), nil
}

// TranslateReader is Translate from a reader, which is read to its end, to a writer. The name is as in TranslateBytes.
func TranslateReader(ctx context.Context, translator *dragoman.Translator, to io.Writer, name string, from io.Reader,
	options *dragoman.TranslateOptions, document *Options) error {
	content, err := io.ReadAll(from)
	if err == nil {
		content, err = TranslateBytes(ctx, translator, name, content, options, document)
	}
	if err == nil {
		_, err = to.Write(content)
	}
	return err
}

func bytesOf(content []byte) unsafe.Pointer {
	if len(content) == 0 {
		return nil
	}
	return unsafe.Pointer(&content[0])
}

// call is the arguments of one.
type call struct {
	translator *C.dragoman_translator
	options    *C.dragoman_translate_options
	document   *C.dragoman_document_options
	texts      []*C.char
}

func run(ctx context.Context, translator *dragoman.Translator, options *dragoman.TranslateOptions, document *Options,
	texts []string, function func(call) C.dragoman_status) error {
	if document == nil {
		document = &Options{}
	}
	c := call{document: (*C.dragoman_document_options)(C.calloc(1, C.sizeof_dragoman_document_options))}
	defer C.free(unsafe.Pointer(c.document))
	C.dragoman_document_options_init(c.document)
	for _, text := range append(texts, document.Resume, document.Format) {
		if place := strings.IndexByte(text, 0); place >= 0 {
			return wrong("%q: a zero byte at %d, expected none", text, place)
		}
		c.texts = append(c.texts, C.CString(text))
		defer C.free(unsafe.Pointer(c.texts[len(c.texts)-1]))
	}
	if document.Resume != "" {
		c.document.resume = c.texts[len(texts)]
	}
	c.document.format = C.dragoman_document_format_named(c.texts[len(texts)+1])
	if document.Format != "" && c.document.format == C.DRAGOMAN_DOCUMENT_UNKNOWN {
		return wrong("format: %q, expected one that docs/documents.md names", document.Format)
	}
	return bridge.Run(ctx, translator, options, document.Progress, func(given bridge.Call) (int32, string) {
		c.translator = (*C.dragoman_translator)(given.Translator)
		c.options = (*C.dragoman_translate_options)(given.Options)
		if given.Progress != nil {
			C.set_progress(c.document, given.Progress, C.uintptr_t(given.User))
		}
		status := function(c)
		return int32(status), C.GoString(C.dragoman_document_error())
	})
}

func wrong(format string, values ...any) error {
	return &dragoman.Error{Status: dragoman.InvalidArgument, Message: fmt.Sprintf(format, values...)}
}
