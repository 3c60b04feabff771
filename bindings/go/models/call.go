// SPDX-License-Identifier: Apache-2.0

package models

// #include <dragoman/models.h>
// #include <stdlib.h>
//
// extern int32_t dragomanGoDownload(dragoman_download* at, void* user);
//
// // A number as a pointer is made here: Go's memory must not hold it.
// static void set_progress(dragoman_models_options* options, uintptr_t user) {
//     options->progress = (dragoman_download_fn)dragomanGoDownload;
//     options->user = (void*)user;
// }
import "C"

import (
	"context"
	"fmt"
	"runtime"
	"runtime/cgo"
	"strings"
	"unsafe"

	"dragoman"
	"dragoman/internal/bridge"
)

// call is the arguments of one, in C's memory, and the list that it gives.
type call struct {
	texts   []*C.char
	options *C.dragoman_models_options
	list    *C.dragoman_model_list
	blocks  []unsafe.Pointer
}

// locked keeps the goroutine on its thread, to which the library's message belongs.
func locked(body func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	body()
}

func run(ctx context.Context, options *Options, texts []string, function func(*call) C.dragoman_status) error {
	if options == nil {
		options = &Options{}
	}
	if ctx.Err() != nil {
		return bridge.Failed(ctx, int32(dragoman.Cancelled), "the context ended")
	}
	c := call{options: (*C.dragoman_models_options)(C.calloc(1, C.sizeof_dragoman_models_options))}
	c.blocks = append(c.blocks, unsafe.Pointer(c.options))
	defer func() {
		for _, block := range c.blocks {
			C.free(block)
		}
	}()
	registries := strings.Join(options.Registries, ",")
	for _, text := range append(texts, registries) {
		if place := strings.IndexByte(text, 0); place >= 0 {
			message := fmt.Sprintf("%q: a zero byte at %d, expected none", text, place)
			return bridge.Failed(ctx, int32(dragoman.InvalidArgument), message)
		}
		c.texts = append(c.texts, c.text(text))
	}
	C.dragoman_models_options_init(c.options)
	c.options.registries = c.texts[len(texts)]
	set(&c.options.offline, options.Offline)
	set(&c.options.refresh, options.Refresh)
	set(&c.options.again, options.Again)
	if options.Parallel != 0 {
		c.options.parallel = C.int32_t(options.Parallel)
	}
	c.options.memory_bytes = C.uint64_t(options.MemoryBytes)
	w := &watch{ctx: ctx, progress: options.Progress}
	user := cgo.NewHandle(w)
	defer user.Delete()
	C.set_progress(c.options, C.uintptr_t(user))
	var err error
	locked(func() {
		if status := function(&c); status != C.DRAGOMAN_OK {
			err = bridge.Failed(ctx, int32(status), C.GoString(C.dragoman_models_error()))
		}
	})
	if w.panicked != nil {
		panic(w.panicked)
	}
	return err
}

// set turns an option on; one that is off keeps its default.
func set(option *C.int32_t, on bool) {
	if on {
		*option = 1
	}
}
