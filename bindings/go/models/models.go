// SPDX-License-Identifier: Apache-2.0

// Package models finds and downloads published models by their names, such as "firefox:de-en" (docs/models.md). It links
// a second library, libdragoman_models. dragoman.LoadModel takes the name of a model on this machine without it.
//
// Calls with a context may wait for the network. Its end stops them; what a download has brought stays, and the next one
// goes on from there.
package models

// #cgo pkg-config: dragoman-models
// #include <dragoman/models.h>
// #include <stdlib.h>
import "C"

import (
	"context"
	"strings"
	"unsafe"
)

// Options says how registries are asked and models brought. nil has the defaults.
type Options struct {
	Offline    bool     // no network; so where DRAGOMAN_OFFLINE is set
	Refresh    bool     // asks for lists even where those that are kept are younger than a day
	Again      bool     // downloads, or shows as it is offered, what is on this machine, too
	Parallel   int      // files that come side by side, 1 to 16; 0 (default): 4
	Registries []string // ids; none: all
	// MemoryBytes is of the device that is to hold a model: models whose files are larger come last; 0 (default): not known.
	MemoryBytes uint64
	// Progress is told a few times a second how far it is, on the goroutine of the call.
	Progress func(Progress)
}

// List is models that a call found.
type List struct {
	Models   []Model
	Problems []string // what kept it from being whole: a registry that cannot be reached, a folder that is no model
}

// Installed gives the models on this machine, also those in the caches of other programs, which are only read.
func Installed() (List, error) {
	return listed(context.Background(), nil, nil, func(c *call) C.dragoman_status {
		return C.dragoman_models_installed(&c.list)
	})
}

// Search gives what registries offer for two languages, the best first; "": any language.
func Search(ctx context.Context, from, to string, options *Options) (List, error) {
	return listed(ctx, options, []string{from, to}, func(c *call) C.dragoman_status {
		return C.dragoman_models_search(c.texts[0], c.texts[1], c.options, &c.list)
	})
}

// InstalledRoute gives the models on this machine that lead from one language to another: one, two over a pivot, or none.
func InstalledRoute(from, to string) (List, error) {
	return listed(context.Background(), nil, []string{from, to}, func(c *call) C.dragoman_status {
		return C.dragoman_models_installed_route(c.texts[0], c.texts[1], &c.list)
	})
}

// Route gives the models to load for two languages: those on this machine where there are some, otherwise the best that
// registries offer, which are yet to be downloaded. Empty: none leads there.
func Route(ctx context.Context, from, to string, options *Options) (List, error) {
	return listed(ctx, options, []string{from, to}, func(c *call) C.dragoman_status {
		return C.dragoman_models_route(c.texts[0], c.texts[1], c.options, &c.list)
	})
}

// Show gives a model by its name: as it is on this machine, otherwise as its registry offers it.
func Show(ctx context.Context, name string, options *Options) (Model, error) {
	return one(listed(ctx, options, []string{name}, func(c *call) C.dragoman_status {
		return C.dragoman_models_show(c.texts[0], c.options, &c.list)
	}))
}

// Download brings a model to this machine, if it is not there, and gives it as it is there.
func Download(ctx context.Context, name string, options *Options) (Model, error) {
	return one(listed(ctx, options, []string{name}, func(c *call) C.dragoman_status {
		return C.dragoman_models_download(c.texts[0], c.options, &c.list)
	}))
}

// Verify reads the files of a downloaded model again. An error with dragoman.BadModel names each that differs.
func Verify(ctx context.Context, name string, options *Options) error {
	return run(ctx, options, []string{name}, func(c *call) C.dragoman_status {
		return C.dragoman_models_verify(c.texts[0], c.options)
	})
}

// KeepFile keeps one file, a GGUF file that dragoman.Convert made of it, instead of the files of a downloaded model.
func KeepFile(ctx context.Context, name, file string, options *Options) error {
	return run(ctx, options, []string{name, file}, func(c *call) C.dragoman_status {
		return C.dragoman_models_keep_file(c.texts[0], c.texts[1], c.options)
	})
}

// Remove removes a downloaded model.
func Remove(name string) error {
	return run(context.Background(), nil, []string{name}, func(c *call) C.dragoman_status {
		return C.dragoman_models_remove(c.texts[0])
	})
}

// Clean removes parts of downloads that were not gone on with for so many days, and gives how many bytes they had.
func Clean(days float64) (uint64, error) {
	var bytes C.uint64_t
	err := run(context.Background(), nil, nil, func(*call) C.dragoman_status {
		return C.dragoman_models_clean(C.double(days), &bytes)
	})
	return uint64(bytes), err
}

// Folder is where downloaded models lie, whether it is there or not; "": the system does not say.
func Folder() (folder string) {
	locked(func() { folder = C.GoString(C.dragoman_models_folder()) })
	return folder
}

// Registries gives those that are known, those of the user's folder too.
func Registries() ([]Registry, error) {
	var list *C.dragoman_registry_list
	err := run(context.Background(), nil, nil, func(*call) C.dragoman_status { return C.dragoman_registries(&list) })
	defer C.dragoman_registry_list_destroy(list)
	found := make([]Registry, int(C.dragoman_registry_list_count(list)))
	for place := range found {
		found[place] = registryOf(C.dragoman_registry_list_get(list, C.size_t(place)))
	}
	return found, err
}

func one(found List, err error) (Model, error) {
	if err != nil {
		return Model{}, err
	}
	return found.Models[0], nil
}

func listed(ctx context.Context, options *Options, texts []string, function func(*call) C.dragoman_status) (List, error) {
	var list *C.dragoman_model_list
	err := run(ctx, options, texts, func(c *call) C.dragoman_status {
		status := function(c)
		list = c.list
		return status
	})
	defer C.dragoman_model_list_destroy(list)
	found := List{Models: make([]Model, int(C.dragoman_model_list_count(list)))}
	for place := range found.Models {
		found.Models[place] = newModel(list, C.size_t(place))
	}
	if list != nil {
		found.Problems = split(C.dragoman_model_list_problems(list), "\n")
	}
	return found, err
}

func newModel(list *C.dragoman_model_list, place C.size_t) Model {
	raw := C.dragoman_model_list_get(list, place)
	made := modelOf(raw)
	for file := C.size_t(0); file < raw.file_count; file++ {
		made.Files = append(made.Files, fileOf(C.dragoman_model_list_file(list, place, file)))
	}
	return made
}

// split gives the parts of a text, none for "".
func split(text *C.char, separator string) []string {
	if found := C.GoString(text); found != "" {
		return strings.Split(strings.TrimSuffix(found, separator), separator)
	}
	return nil
}

func (c *call) text(text string) *C.char {
	made := C.CString(text)
	c.blocks = append(c.blocks, unsafe.Pointer(made))
	return made
}
