// SPDX-License-Identifier: Apache-2.0

package dragoman

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"
)

// ErrClosed is in the chain of what a call returns that used a handle after its Close.
var ErrClosed = errors.New("closed")

// handle is one of C's. Any number of goroutines may use it; its end waits for the calls that do.
type handle struct {
	guard   sync.Mutex
	pointer unsafe.Pointer // nil: closed
	users   sync.WaitGroup
	destroy func(unsafe.Pointer)
	what    string
}

// newHandle: a finalizer ends what nobody closed, on a goroutine of its own, as that may wait.
func newHandle(pointer unsafe.Pointer, what string, destroy func(unsafe.Pointer)) *handle {
	h := &handle{pointer: pointer, what: what, destroy: destroy}
	runtime.SetFinalizer(h, func(h *handle) { go h.Close() })
	return h
}

// enter gives the pointer until leave.
func (h *handle) enter() (unsafe.Pointer, error) {
	if h == nil {
		return nil, invalid("expected a handle, got nil")
	}
	h.guard.Lock()
	defer h.guard.Unlock()
	if h.pointer == nil {
		return nil, fmt.Errorf("dragoman: %s: %w", h.what, ErrClosed)
	}
	h.users.Add(1)
	return h.pointer, nil
}

func (h *handle) leave() { h.users.Done() }

// Close ends the handle. It waits for calls of other goroutines that use it; later ones get ErrClosed. Closing twice
// does nothing. It always returns nil.
func (h *handle) Close() error {
	h.guard.Lock()
	pointer := h.pointer
	h.pointer = nil
	h.guard.Unlock()
	h.users.Wait()
	if pointer != nil {
		runtime.SetFinalizer(h, nil)
		h.destroy(pointer)
	}
	return nil
}
