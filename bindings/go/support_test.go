// SPDX-License-Identifier: Apache-2.0

package dragoman_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"dragoman"
)

const (
	text        = "batin kétiß kénara késora banara!"
	translation = "fopiй Gasa Gakuй Gakux foй!"
)

var (
	ctx        = context.Background()
	data       = filepath.Join("..", "..", "tests", "data")
	textModel  = filepath.Join(data, "huggingface", "shared")
	tokenModel = filepath.Join(data, "aren-transliteration")
	shared     *dragoman.Model // textModel
)

func TestMain(m *testing.M) {
	var err error
	if shared, err = dragoman.LoadModel(ctx, textModel, &dragoman.ModelOptions{ComputeType: dragoman.ComputeF32}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	shared.Close()
	os.Exit(status)
}

// toy is a translator of the shared model to "xx".
func toy(t *testing.T) *dragoman.Translator {
	t.Helper()
	translator, err := shared.Translator(&dragoman.TranslateOptions{TargetLanguage: "xx"})
	require(t, err)
	t.Cleanup(func() { translator.Close() })
	return translator
}

func require(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t *testing.T, what string, found, expected T) {
	t.Helper()
	if found != expected {
		t.Errorf("%s: got %v, expected %v", what, found, expected)
	}
}
