// SPDX-License-Identifier: Apache-2.0

package dragoman

// #include "callbacks.h"
import "C"

import (
	"context"
	"runtime"
)

// check calls a function of C and gives its error, whose message belongs to the thread.
func check(call func() C.dragoman_status) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if status := call(); status != C.DRAGOMAN_OK {
		return &Error{Status: Status(status), Message: C.GoString(C.dragoman_last_error())}
	}
	return nil
}

// get reads one thing; the first error stays, and nothing is read after it.
func get[T any](failed *error, read func(*T) C.dragoman_status) T {
	var value T
	if *failed == nil {
		*failed = check(func() C.dragoman_status { return read(&value) })
	}
	return value
}

// outcome is what a call gave, on another goroutine perhaps.
type outcome[T any] struct {
	value    T
	err      error
	panicked any
}

// call makes the call of an arena and ends that. Where the library asks now and then whether to go on, a context stops
// it so. Else the call goes on when the context has ended, and drop gets what it gives.
func call[T any](a *arena, run func(*T) C.dragoman_status, drop func(T)) (T, error) {
	if a.ctx != nil && a.ctx.Err() != nil {
		a.fail(stopped(a.ctx))
	}
	if a.err != nil || a.ctx == nil || a.ctx.Done() == nil || a.watch != nil {
		return made(a, run).end()
	}
	ended := make(chan outcome[T], 1)
	go func() { ended <- made(a, run) }()
	select {
	case found := <-ended:
		return found.end()
	case <-a.ctx.Done():
		go func() {
			if found := <-ended; found.err == nil && found.panicked == nil && drop != nil {
				drop(found.value)
			}
		}()
		return outcome[T]{err: stopped(a.ctx)}.end()
	}
}

func made[T any](a *arena, run func(*T) C.dragoman_status) (found outcome[T]) {
	defer a.free()
	found.err = a.err
	found.value = get(&found.err, run)
	for _, file := range a.read {
		if file.panicked != nil {
			found.panicked = file.panicked
		}
		if failed, ok := found.err.(*Error); ok && file.err != nil {
			failed.cause = file.err
		}
	}
	if a.watch != nil {
		found.panicked, found.err = a.watch.panicked, because(found.err, a.ctx)
	}
	return found
}

// end lets a panic of a function of Go's, which could not go through the library, go on.
func (o outcome[T]) end() (T, error) {
	if o.panicked != nil {
		panic(o.panicked)
	}
	return o.value, o.err
}

// because gives an error that the end of a context brought about that cause.
func because(err error, ctx context.Context) error {
	if found, ok := err.(*Error); ok && found.Status == Cancelled {
		found.cause = ctx.Err()
	}
	return err
}

func stopped(ctx context.Context) error { return failure(ctx, int32(Cancelled), "the context ended") }
