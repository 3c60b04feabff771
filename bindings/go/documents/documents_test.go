// SPDX-License-Identifier: Apache-2.0

package documents_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"dragoman"
	"dragoman/documents"
)

const page, translated = `<p title="batin kétiß">batin kétiß kénara késora banara!</p>`,
	"fopiй Gasa Gakuй Gakux foй!"

var (
	ctx   = context.Background()
	model = filepath.Join("..", "..", "..", "tests", "data", "huggingface", "shared")
)

func require(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func toy(t *testing.T) *dragoman.Translator {
	t.Helper()
	loaded, err := dragoman.LoadModel(ctx, model, nil)
	require(t, err)
	defer loaded.Close()
	translator, err := loaded.Translator(&dragoman.TranslateOptions{TargetLanguage: "xx"})
	require(t, err)
	t.Cleanup(func() { translator.Close() })
	return translator
}

func TestDocuments(t *testing.T) {
	translator, folder := toy(t), t.TempDir()
	input, output := folder+"/pägé.html", folder+"/out.html"
	require(t, os.WriteFile(input, []byte(page), 0o600))
	var seen []string
	require(t, documents.Translate(ctx, translator, input, output, nil, &documents.Options{
		Progress: func(done, total int) { seen = append(seen, fmt.Sprint(done, " of ", total)) }}))
	content, err := os.ReadFile(output)
	require(t, err)
	if !strings.Contains(string(content), ">"+translated+"</p>") || seen[len(seen)-1] != "2 of 2" {
		t.Errorf("%s: %v", content, seen)
	}
	again, err := documents.TranslateBytes(ctx, translator, "", []byte(page), nil, &documents.Options{Format: "html"})
	require(t, err)
	if string(again) != string(content) {
		t.Errorf("got %s, expected %s", again, content)
	}
}

func TestFormat(t *testing.T) {
	for _, c := range [][3]string{{"a.docx", "", "docx"}, {"", "WEBVTT\n\n", "vtt"}, {"a.pdf", "", ""}} {
		if found := documents.Format(c[0], []byte(c[1])); found != c[2] {
			t.Errorf("%q, %q: got %q, expected %q", c[0], c[1], found, c[2])
		}
	}
}

func TestStopped(t *testing.T) {
	translator, folder := toy(t), t.TempDir()
	input, output, resume := folder+"/long.txt", folder+"/out.txt", folder+"/kept"
	var text strings.Builder
	for place := 24; place > 0; place-- { // the longest first, as they are worked on
		fmt.Fprintf(&text, "batin %s.\n\n", strings.Repeat("kén ", place))
	}
	require(t, os.WriteFile(input, []byte(text.String()), 0o600))
	stop, cancel := context.WithCancel(ctx)
	slow := &dragoman.TranslateOptions{TargetLanguage: "xx", MaxBatchSize: 1}
	how := &documents.Options{Format: "text", Resume: resume, Progress: func(done, total int) {
		if done > 0 {
			cancel()
		}
	}}
	err := documents.Translate(stop, translator, input, output, slow, how)
	if !errors.Is(err, context.Canceled) || !errors.Is(err, dragoman.Cancelled) {
		t.Fatalf("got %v, expected Canceled", err)
	}
	if _, err := os.Stat(output); err == nil {
		t.Error("a part was written")
	}
	how.Progress = nil
	require(t, translator.ResetStats())
	require(t, documents.Translate(ctx, translator, input, output, slow, how))
	stats, err := translator.Stats()
	require(t, err)
	if stats.Sentences >= 24 {
		t.Errorf("%d of 24 sentences were searched again", stats.Sentences)
	}
}

func TestErrors(t *testing.T) {
	translator, folder := toy(t), t.TempDir()
	input := folder + "/broken.docx"
	require(t, os.WriteFile(input, []byte("no archive"), 0o600))
	bytes := func(name, format string) error {
		_, err := documents.TranslateBytes(ctx, translator, name, []byte("?"), nil, &documents.Options{Format: format})
		return err
	}
	closed := toy(t)
	closed.Close()
	for _, c := range []struct {
		err    error
		status error
		part   string
	}{
		{documents.Translate(ctx, translator, input, folder+"/x", nil, nil), dragoman.InvalidArgument, "expected a zip archive"},
		{documents.Translate(ctx, translator, folder+"/none.txt", folder+"/x", nil, nil), dragoman.IOError, "none.txt"},
		{bytes("x.bin", ""), dragoman.Unsupported, ""},
		{bytes("x.bin", "doc"), dragoman.InvalidArgument, `format: "doc"`},
		{bytes("x\x00.txt", ""), dragoman.InvalidArgument, "a zero byte at 1"},
		{documents.Translate(ctx, closed, input, folder+"/x", nil, nil), dragoman.ErrClosed, "translator"},
	} {
		if !errors.Is(c.err, c.status) || !strings.Contains(c.err.Error(), c.part) {
			t.Errorf("got %v, expected %v with %q", c.err, c.status, c.part)
		}
	}
}

// half is a writer that has no room.
type half struct{}

func (half) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestReadersAndWriters(t *testing.T) {
	paragraph := "<p>batin kétiß kénara késora banara!</p>"
	var found strings.Builder
	require(t, documents.TranslateReader(ctx, toy(t), &found, "x.html", strings.NewReader(paragraph), nil, nil))
	if expected := "<p>fopiй Gasa Gakuй Gakux foй!</p>"; found.String() != expected {
		t.Errorf("got %q, expected %q", found.String(), expected)
	}
	broken := iotest.ErrReader(io.ErrUnexpectedEOF)
	if err := documents.TranslateReader(ctx, toy(t), &found, "x.html", broken, nil, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, expected the reader's error", err)
	}
	err := documents.TranslateReader(ctx, toy(t), half{}, "x.html", strings.NewReader(paragraph), nil, nil)
	if !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("got %v, expected the writer's error", err)
	}
}
