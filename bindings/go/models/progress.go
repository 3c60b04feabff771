// SPDX-License-Identifier: Apache-2.0

package models

// #include <dragoman/models.h>
import "C"

import (
	"context"
	"runtime/cgo"
	"unsafe"
)

// watch is what a call of the library asks now and then, on the goroutine that made it: whether to go on.
type watch struct {
	ctx      context.Context
	progress func(Progress)
	panicked any
}

//export dragomanGoDownload
func dragomanGoDownload(at *C.dragoman_download, user unsafe.Pointer) (stop C.int32_t) {
	w := cgo.Handle(uintptr(user)).Value().(*watch)
	defer func() { // a panic must not go through the library's frames
		if r := recover(); r != nil {
			w.panicked, stop = r, 1
		}
	}()
	if w.ctx.Err() != nil || w.panicked != nil {
		return 1
	}
	if w.progress != nil {
		w.progress(progressOf(at))
	}
	return 0
}
