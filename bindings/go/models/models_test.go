// SPDX-License-Identifier: Apache-2.0

package models_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dragoman"
	"dragoman/models"
)

const name = "firefox:de-en"

var (
	ctx    = context.Background()
	played struct { // what tests/registry/serve.py says
		Home, Text, Translation string
		Set                     map[string]string
		Unset                   []string
	}
)

// TestMain lets the library ask a local server that plays the registries.
func TestMain(m *testing.M) {
	server := exec.Command("python3", "-B", filepath.Join("..", "..", "..", "tests", "registry", "serve.py"))
	server.Stderr = os.Stderr
	end, err := server.StdinPipe()
	fail(err)
	said, err := server.StdoutPipe()
	fail(err)
	fail(server.Start())
	line, err := bufio.NewReader(said).ReadBytes('\n')
	fail(err)
	fail(json.Unmarshal(line, &played))
	for variable, value := range played.Set {
		os.Setenv(variable, value)
	}
	for _, variable := range played.Unset {
		os.Unsetenv(variable)
	}
	status := m.Run()
	end.Close()
	server.Wait()
	os.Exit(status)
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
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

func names(list models.List) string {
	var found []string
	for _, model := range list.Models {
		found = append(found, model.Name)
	}
	return strings.Join(found, " ")
}

func TestOffered(t *testing.T) {
	list, err := models.Search(ctx, "de", "en", nil)
	require(t, err)
	equal(t, "search", names(list), name)
	model := list.Models[0]
	equal(t, "languages", strings.Join(append(model.From, model.To...), " "), "de en")
	equal(t, "license", model.License, "MPL-2.0")
	if model.Installed || model.Path != "" || model.Bytes == 0 || len(model.Files) != 3 || len(model.Files[0].SHA256) != 64 {
		t.Errorf("got %+v", model)
	}
	list, err = models.Search(ctx, "", "fi", &models.Options{Registries: []string{"argos"}})
	require(t, err)
	equal(t, "search", names(list), "argos:en_fi")
	list, err = models.Route(ctx, "de", "fr", nil)
	require(t, err)
	equal(t, "route", names(list), name+" firefox:en-fr")
	registries, err := models.Registries()
	require(t, err)
	known := false
	for _, registry := range registries {
		known = known || registry.ID == "firefox" && registry.Mirror == "DRAGOMAN_MIRROR_FIREFOX"
	}
	equal(t, "firefox is known", known, true)
	equal(t, "folder", strings.HasPrefix(models.Folder(), played.Home), true)
}

func TestDownload(t *testing.T) {
	_, err := dragoman.LoadModel(ctx, name, nil)
	if !errors.Is(err, dragoman.IOError) || !strings.Contains(err.Error(), "dragoman models download "+name) {
		t.Fatalf("got %v, expected how it comes here", err)
	}
	kept, err := models.Download(ctx, name, &models.Options{Parallel: 1, Progress: func(at models.Progress) {
		if at.TotalBytes != 0 && at.DoneBytes > at.TotalBytes {
			t.Errorf("%+v", at)
		}
	}})
	require(t, err)
	if !kept.Installed || kept.Owner != "dragoman" || kept.Files[0].Proof != "published" {
		t.Errorf("got %+v", kept)
	}
	again, err := models.Download(ctx, name, &models.Options{Offline: true})
	require(t, err)
	equal(t, "path", again.Path, kept.Path)
	list, err := models.Installed()
	require(t, err)
	equal(t, "installed", names(list), name)
	list, err = models.InstalledRoute("de", "en")
	require(t, err)
	equal(t, "route", names(list), name)

	model, err := dragoman.LoadModel(ctx, name, nil)
	require(t, err)
	defer model.Close()
	translator, err := model.Translator(nil)
	require(t, err)
	defer translator.Close()
	found, err := translator.Translate(ctx, played.Text, nil)
	require(t, err)
	equal(t, "translation", found.Text, played.Translation)

	require(t, models.Verify(ctx, name, nil))
	require(t, os.WriteFile(filepath.Join(kept.Path, kept.Files[0].Name), []byte("shorter"), 0o600))
	err = models.Verify(ctx, name, nil)
	if !errors.Is(err, dragoman.BadModel) || !strings.Contains(err.Error(), kept.Files[0].Name) {
		t.Errorf("got %v, expected %s to differ", err, kept.Files[0].Name)
	}
	require(t, models.Remove(name))
	if _, err := os.Stat(kept.Path); err == nil {
		t.Errorf("%s is still there", kept.Path)
	}
	_, err = models.Clean(0)
	require(t, err)
}

func TestStopped(t *testing.T) {
	begin := time.Now()
	stop, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	_, err := models.Download(stop, "argos:en_fi", nil)
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, dragoman.Cancelled) {
		t.Errorf("got %v, expected DeadlineExceeded", err)
	}
	_, err = models.Search(stop, "de", "en", nil)
	equal(t, "ended before", errors.Is(err, context.DeadlineExceeded), true)
	panicked := func() (found any) {
		defer func() { found = recover() }()
		models.Download(ctx, "argos:en_fi", &models.Options{Progress: func(models.Progress) { panic("enough") }})
		return nil
	}()
	equal(t, "panic", fmt.Sprint(panicked), "enough")
	if passed := time.Since(begin); passed > 20*time.Second {
		t.Errorf("it waited for the file: %v", passed)
	}
}

func TestErrors(t *testing.T) {
	search := func(from string, options models.Options) error {
		_, err := models.Search(ctx, from, "en", &options)
		return err
	}
	_, unknown := models.Show(ctx, "nowhere:x", nil)
	_, days := models.Clean(-1)
	for _, c := range []struct {
		err  error
		part string
	}{
		{unknown, "nowhere"},
		{search("de", models.Options{Registries: []string{"nowhere"}}), "nowhere"},
		{search("de", models.Options{Parallel: 17}), "parallel: expected 1 to 16, got 17"},
		{search("de\x00", models.Options{}), "a zero byte at 2"},
		{models.Verify(ctx, name, nil), name},
		{models.KeepFile(ctx, name, "none.gguf", nil), name},
		{models.Remove(name), name},
		{days, "days"},
	} {
		if !errors.Is(c.err, dragoman.InvalidArgument) || !strings.Contains(c.err.Error(), c.part) {
			t.Errorf("got %v, expected InvalidArgument with %q", c.err, c.part)
		}
	}
}
