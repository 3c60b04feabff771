// SPDX-License-Identifier: Apache-2.0

package dragoman

// #include <dragoman/dragoman.h>
import "C"

import "unsafe"

// Model is a model on a device. It never changes; any number of goroutines and translators share it. Translators made
// from it keep what they need after its Close.
type Model struct{ *handle }

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
