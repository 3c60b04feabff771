// SPDX-License-Identifier: Apache-2.0

// Package bridge gives package documents what it needs of package dragoman's handles and options.
package bridge

import (
	"context"
	"unsafe"
)

// Call is what one call with a translator passes on.
type Call struct {
	Translator unsafe.Pointer // dragoman_translator*
	Options    unsafe.Pointer // dragoman_translate_options*
	Progress   unsafe.Pointer // a function of C, nil: nobody asks
	User       uintptr        // for it
}

// Run is set by package dragoman; translator and options are its *Translator and *TranslateOptions. What run gives is
// a status and its message.
var Run func(ctx context.Context, translator, options any, progress func(done, total int),
	run func(Call) (int32, string)) error
