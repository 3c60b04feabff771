// SPDX-License-Identifier: Apache-2.0

// Package bridge gives packages documents and models what they need of package dragoman's handles, options and errors.
package bridge

import (
	"context"
	"unsafe"
)

// Call is what one call with a translator passes on.
type Call struct {
	Translator, Options unsafe.Pointer // dragoman_translator*, dragoman_translate_options*
	Progress            unsafe.Pointer // a function of C, nil: nobody asks
	User                uintptr        // for it
}

// Run is set by package dragoman; translator and options are its *Translator and *TranslateOptions. What run gives is
// a status and its message.
var Run func(ctx context.Context, translator, options any, progress func(done, total int),
	run func(Call) (int32, string)) error

// Failed is set likewise: the *Error of a status and its message, with the context's error where that stopped the call.
var Failed func(ctx context.Context, status int32, message string) error
