// SPDX-License-Identifier: Apache-2.0

package dragoman

// #include "callbacks.h"
import "C"

import (
	"context"
	"io"
	"runtime/cgo"
	"unsafe"
)

// watch is what a call of the library asks now and then, on the goroutine that made it: whether to go on.
type watch struct {
	ctx      context.Context
	progress func(done, total int)
	panicked any
}

//export dragomanGoProgress
func dragomanGoProgress(done, total C.size_t, user C.uintptr_t) (stop C.int32_t) {
	w := cgo.Handle(user).Value().(*watch)
	defer func() { // a panic must not go through the library's frames
		if r := recover(); r != nil {
			w.panicked, stop = r, 1
		}
	}()
	if w.ctx.Err() != nil || w.panicked != nil {
		return 1
	}
	if w.progress != nil {
		w.progress(int(done), int(total))
	}
	return 0
}

//export dragomanGoEvent
func dragomanGoEvent(event *C.dragoman_event, user C.uintptr_t) {
	cgo.Handle(user).Value().(*events).receive(event)
}

//export dragomanGoRead
func dragomanGoRead(offset C.uint64_t, buffer unsafe.Pointer, size C.size_t, user C.uintptr_t) (status C.int32_t) {
	file := cgo.Handle(user).Value().(*readFile)
	defer func() {
		if r := recover(); r != nil {
			file.panicked, status = r, 1
		}
	}()
	count, err := file.reader.ReadAt(unsafe.Slice((*byte)(buffer), int(size)), int64(offset))
	if count == int(size) {
		return 0
	}
	if file.err = err; err == nil || err == io.EOF {
		file.err = io.ErrUnexpectedEOF
	}
	return 1
}

//export dragomanGoLog
func dragomanGoLog(level C.int32_t, line *C.char, user C.uintptr_t) {
	defer func() {
		if r := recover(); r != nil {
			go panic(r) // as a panic of a goroutine that nobody catches
		}
	}()
	cgo.Handle(user).Value().(func(LogLevel, string))(LogLevel(level), C.GoString(line))
}
