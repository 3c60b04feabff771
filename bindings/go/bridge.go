// SPDX-License-Identifier: Apache-2.0

package dragoman

// #include "callbacks.h"
// static inline void* progress_function(void) { return (void*)dragoman_go_progress; }
import "C"

import (
	"context"
	"unsafe"

	"dragoman/internal/bridge"
)

func init() { bridge.Run, bridge.Failed = runForDocuments, failure }

func failure(ctx context.Context, status int32, message string) error {
	return because(&Error{Status: Status(status), Message: message}, ctx)
}

func runForDocuments(ctx context.Context, translator, options any, progress func(done, total int),
	run func(bridge.Call) (int32, string)) error {
	a, t := plain(), translator.(*Translator)
	given := bridge.Call{ // without the context: the document's progress is asked, not that of its texts
		Options:    unsafe.Pointer(t.options(options.(*TranslateOptions)).c(a)),
		Translator: a.use(t.handle),
	}
	a.ctx = ctx
	if ctx.Done() != nil || progress != nil {
		a.watch = &watch{ctx: ctx, progress: progress}
		given.Progress, given.User = C.progress_function(), uintptr(a.user(a.watch))
	}
	var failed error
	if _, err := call(a, func(*struct{}) C.dragoman_status {
		if status, message := run(given); status != int32(OK) {
			failed = failure(ctx, status, message)
		}
		return C.DRAGOMAN_OK
	}, nil); err != nil {
		return err
	}
	return failed
}
