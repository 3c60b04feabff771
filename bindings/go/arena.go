// SPDX-License-Identifier: Apache-2.0

package dragoman

// #include "callbacks.h"
// #include <stdlib.h>
import "C"

import (
	"context"
	"runtime/cgo"
	"strings"
	"unsafe"
)

// arena is C's memory for the arguments of one call, with the handles that the call uses. Go's own memory cannot be
// given, as C's structs point to each other.
type arena struct {
	ctx    context.Context // stops the call; nil: nothing does
	watch  *watch          // nil: the library does not ask whether to go on
	read   []*readFile
	blocks []unsafe.Pointer
	rest   []byte   // of the last block
	leave  []func() // when the call is over
	err    error    // the first argument that cannot be given
}

func plain() *arena                     { return &arena{} }
func during(ctx context.Context) *arena { return &arena{ctx: ctx} }

const firstBlock, lastBlock = 4 << 10, 1 << 20

// alloc gives zeroed memory.
func (a *arena) alloc(size C.size_t) unsafe.Pointer {
	need := (int(size) + 15) &^ 15
	if need == 0 {
		return nil
	}
	if need > len(a.rest) {
		block := firstBlock << (2 * len(a.blocks))
		if block > lastBlock || block <= 0 {
			block = lastBlock
		}
		if block < need {
			block = need
		}
		memory := C.calloc(1, C.size_t(block))
		if memory == nil {
			panic("dragoman: out of memory")
		}
		a.blocks = append(a.blocks, memory)
		a.rest = unsafe.Slice((*byte)(memory), block)
	}
	found := unsafe.Pointer(&a.rest[0])
	a.rest = a.rest[need:]
	return found
}

// free ends the memory and lets go of the handles.
func (a *arena) free() {
	for _, block := range a.blocks {
		C.free(block)
	}
	for _, leave := range a.leave {
		leave()
	}
}

func (a *arena) fail(err error) {
	if a.err == nil {
		a.err = err
	}
}

// use gives a handle's pointer, valid until free.
func (a *arena) use(h *handle) unsafe.Pointer {
	pointer, err := h.enter()
	a.fail(err)
	if err == nil {
		a.leave = append(a.leave, h.leave)
	}
	return pointer
}

// user gives callbacks of the call a value.
func (a *arena) user(value any) C.uintptr_t {
	handle := cgo.NewHandle(value)
	a.leave = append(a.leave, handle.Delete)
	return C.uintptr_t(handle)
}

// observe lets the library ask for the call's context, and tell how far it is.
func (a *arena) observe(progress *C.dragoman_progress_fn, user *unsafe.Pointer, tell func(done, total int)) {
	if a.ctx != nil && (a.ctx.Done() != nil || tell != nil) {
		a.watch = &watch{ctx: a.ctx, progress: tell}
		C.dragoman_go_watch(progress, user, a.user(a.watch))
	}
}

// same fails for arrays of different lengths; an empty one is none.
func (a *arena) same(name string, count, wanted int) {
	if count != wanted && count != 0 {
		a.fail(invalid("%s: %d, expected %d, one for each input", name, count, wanted))
	}
}

func (a *arena) copy(text string) *C.char {
	memory := a.alloc(C.size_t(len(text)) + 1)
	copy(unsafe.Slice((*byte)(memory), len(text)), text)
	return (*C.char)(memory)
}

// given is a text that ends with a zero byte; text is one whose "" is NULL, the default.
func (a *arena) given(name, text string) *C.char {
	if place := strings.IndexByte(text, 0); place >= 0 {
		a.fail(invalid("%s: a zero byte at %d, expected none", name, place))
	}
	return a.copy(text)
}

func (a *arena) text(name, text string) *C.char {
	if text == "" {
		return nil
	}
	return a.given(name, text)
}

func (a *arena) texts(texts []string) *C.dragoman_string {
	data := (*C.dragoman_string)(a.alloc(C.size_t(len(texts)) * C.sizeof_dragoman_string))
	for place, text := range texts {
		if text != "" {
			unsafe.Slice(data, len(texts))[place] = C.dragoman_string{data: a.copy(text), size: C.size_t(len(text))}
		}
	}
	return data
}

func (a *arena) sequences(sequences [][]string) *C.dragoman_tokens {
	data := (*C.dragoman_tokens)(a.alloc(C.size_t(len(sequences)) * C.sizeof_dragoman_tokens))
	for place, tokens := range sequences {
		unsafe.Slice(data, len(sequences))[place] =
			C.dragoman_tokens{data: a.texts(tokens), count: C.size_t(len(tokens))}
	}
	return data
}

func (a *arena) floats(numbers []float32) *C.float {
	data := a.alloc(C.size_t(len(numbers)) * 4)
	copy(unsafe.Slice((*float32)(data), len(numbers)), numbers)
	return (*C.float)(data)
}

func (a *arena) models(models []*Model) **C.dragoman_model {
	data := (**C.dragoman_model)(a.alloc(C.size_t(len(models)) * C.sizeof_size_t))
	for place, model := range models {
		if model == nil {
			a.fail(invalid("models[%d]: expected a model, got nil", place))
			break
		}
		unsafe.Slice(data, len(models))[place] = (*C.dragoman_model)(a.use(model.handle))
	}
	return data
}

func flag(on bool) C.int32_t {
	if on {
		return 1
	}
	return 0
}
