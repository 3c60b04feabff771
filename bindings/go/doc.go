// SPDX-License-Identifier: Apache-2.0

// Package dragoman translates texts with neural networks on any GPU that has Vulkan, or on the CPU.
//
// It is the C library libdragoman as Go has it, found by pkg-config. Names and rules are those of its header,
// dragoman.h, whose comments are those of the options and enumerations here.
//
//	model, err := dragoman.LoadModel(ctx, "", nil)
//	translator, err := model.Translator(&dragoman.TranslateOptions{TargetLanguage: "en"})
//	found, err := translator.Translate(ctx, "Wo ist der Bahnhof?", nil)
//	fmt.Println(found.Text)
//
// A Device, Model, Translator, Job, Glossary, TranslationMemory and Logger has a handle of the library, which Close ends.
// Any number of goroutines may use one, also while it is closed; a finalizer ends what nobody closed. What calls return
// otherwise (translations, scores, vectors) are plain values.
//
// Calls that take long take a context. Its end stops translating, converting, embedding, measuring and documents;
// loading a model, scoring and checking a device return at its end too, but their work goes on until it is done.
package dragoman
