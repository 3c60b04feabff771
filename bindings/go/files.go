// SPDX-License-Identifier: Apache-2.0

package dragoman

// #include "callbacks.h"
import "C"

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"unsafe"
)

// File is a file of a model that need not be in the file system: named as in the model's folder, with '/' for
// sub-folders. One file that is a model by itself, such as a zip archive, may have any name.
type File struct {
	Name   string
	Reader io.ReaderAt // such as an *os.File or a *bytes.Reader; used during the call
	Size   int64
}

// BytesFile is a file in memory.
func BytesFile(name string, content []byte) File {
	return File{name, bytes.NewReader(content), int64(len(content))}
}

// LoadModelFS loads a model from the files of a file system, embedded ones for instance; fs.Sub names a folder of one.
func LoadModelFS(ctx context.Context, system fs.FS, options *ModelOptions) (*Model, error) {
	var files []File
	err := fs.WalkDir(system, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := fs.Stat(system, name)
		if err == nil {
			files = append(files, File{name, &lazyFile{system: system, name: name}, info.Size()})
		}
		return err
	})
	if err != nil {
		return nil, &Error{Status: IOError, Message: err.Error(), cause: err}
	}
	return LoadModelFiles(ctx, files, options)
}

// lazyFile reads a file when the library first wants a part of it.
type lazyFile struct {
	system  fs.FS
	name    string
	content *bytes.Reader
}

func (f *lazyFile) ReadAt(to []byte, offset int64) (int, error) {
	if f.content == nil {
		content, err := fs.ReadFile(f.system, f.name)
		if err != nil {
			return 0, err
		}
		f.content = bytes.NewReader(content)
	}
	return f.content.ReadAt(to, offset)
}

// readFile is a file during a call.
type readFile struct {
	reader   io.ReaderAt
	err      error
	panicked any
}

func (a *arena) files(files []File) *C.dragoman_file {
	data := (*C.dragoman_file)(a.alloc(C.size_t(len(files)) * C.sizeof_dragoman_file))
	for place, file := range files {
		if file.Name == "" || file.Reader == nil || file.Size < 0 {
			a.fail(invalid("files[%d]: expected a name, a reader and a size, got %q, %v, %d",
				place, file.Name, file.Reader, file.Size))
		}
		read := &readFile{reader: file.Reader}
		a.read = append(a.read, read)
		to := &unsafe.Slice(data, len(files))[place]
		to.name, to.size = a.text("files", file.Name), C.uint64_t(file.Size)
		C.dragoman_go_file(to, a.user(read))
	}
	return data
}
