// SPDX-License-Identifier: Apache-2.0

package dragoman

// #include <dragoman/dragoman.h>
import "C"

import (
	"context"
	"unsafe"
)

// Model is a model on a device. It never changes; any number of goroutines and translators share it. Translators made
// from it keep what they need after its Close.
type Model struct{ *handle }

// LoadModel reads a folder, a zip archive or a GGUF file. Path "": the model that DRAGOMAN_MODEL names in the
// environment, else the one that comes with the library. Where the context ends first, the load ends unseen.
func LoadModel(ctx context.Context, path string, options *ModelOptions) (*Model, error) {
	return during(ctx).modelLoad(path, options)
}

// LoadModelFiles loads a model from files that need not be in the file system.
func LoadModelFiles(ctx context.Context, files []File, options *ModelOptions) (*Model, error) {
	return during(ctx).modelLoadFiles(files, options)
}

// Describe says what the model at a path is, from its files alone; "": the default model, see LoadModel.
func Describe(path string) (ModelInfo, error) { return plain().modelDescribe(path) }

// DescribeFiles is Describe for files as LoadModelFiles takes them.
func DescribeFiles(files []File) (ModelInfo, error) { return plain().modelDescribeFiles(files) }

// Info describes the model.
func (m *Model) Info() (ModelInfo, error) { return plain().modelGetInfo(m.handle) }

// Device describes the device that it is on.
func (m *Model) Device() (DeviceInfo, error) { return plain().modelDevice(m.handle) }

// Memory tells the memory of its device, and what everything on that holds.
func (m *Model) Memory() (MemoryInfo, error) { return plain().modelMemory(m.handle) }

// Language is a language of a model. Options take its tag as well as its code.
type Language struct {
	Tag  string `json:"tag"`  // BCP 47, "pt-BR"; "und" where the code is of no standard
	Code string `json:"code"` // as the model's files spell it, "deu_Latn"
	Name string `json:"name"` // in English; the code where there is none
}

// Languages lists those that it translates from (SideSource) or to; none where its files do not say.
func (m *Model) Languages(side Side) ([]Language, error) {
	return readLanguages(plain().modelLanguages(m.handle, side))
}

// DescribeLanguages lists those of the model at a path, from its files alone; see Describe.
func DescribeLanguages(path string, side Side) ([]Language, error) {
	return readLanguages(plain().modelDescribeLanguages(path, side))
}

func readLanguages(list *C.dragoman_language_list, err error) ([]Language, error) {
	defer C.dragoman_language_list_destroy(list)
	found := make([]Language, int(C.dragoman_language_list_count(list)))
	for place := range found {
		one := unsafe.Slice(C.dragoman_language_list_data(list), len(found))[place]
		found[place] = Language{C.GoString(one.tag), C.GoString(one.code), C.GoString(one.name)}
	}
	return found, err
}

// Translator makes a translator with these options as its own; nil: the defaults.
func (m *Model) Translator(options *TranslateOptions) (*Translator, error) {
	made, err := plain().translatorCreate(m.handle)
	return ownOptions(options, made, err)
}
