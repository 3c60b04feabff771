// SPDX-License-Identifier: Apache-2.0

package dragoman

// #cgo pkg-config: dragoman
// #include "callbacks.h"
// #include <stdlib.h>
import "C"

import (
	"runtime/cgo"
	"sync"
	"unsafe"
)

// Version is that of the library that runs, "1.0.0".
func Version() string { return C.GoString(C.dragoman_version_string()) }

// VersionNumber is the same as a number that grows with it: 1.2.3 is 10203.
func VersionNumber() uint32 { return uint32(C.dragoman_version()) }

// HasFeature says whether this library, as it was built and where it runs, has "format.ctranslate2",
// "compute.float16", "jobs.partial" and so on; false for a name that it does not know.
func HasFeature(name string) bool {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return C.dragoman_has_feature(text) != 0
}

// Features gives the names of all features that the library has.
func Features() []string {
	var found []string
	for index := C.size_t(0); C.dragoman_feature_name(index) != nil; index++ {
		if name := C.GoString(C.dragoman_feature_name(index)); HasFeature(name) {
			found = append(found, name)
		}
	}
	return found
}

var logging struct {
	sync.Mutex
	current cgo.Handle
}

// SetLog sends log lines up to a level to receive instead of stderr, for the whole process; nil restores the default. A
// package that uses Dragoman takes NewLogger instead. receive runs on any thread, one call at a time, and must not call
// the library.
func SetLog(receive func(level LogLevel, line string), most LogLevel) error {
	logging.Lock()
	defer logging.Unlock()
	next := cgo.Handle(0)
	if receive != nil {
		next = cgo.NewHandle(receive)
	}
	err := check(func() C.dragoman_status { return C.dragoman_go_set_log(C.uintptr_t(next), C.int32_t(most)) })
	if err == nil {
		next, logging.current = logging.current, next
	}
	if next != 0 { // the one that is not needed any more
		next.Delete()
	}
	return err
}

// Logger is a further receiver of the process's log lines.
type Logger struct{ *handle }

// NewLogger sends log lines up to a level to receive as well, as SetLog does.
func NewLogger(receive func(level LogLevel, line string), most LogLevel) (*Logger, error) {
	user := cgo.NewHandle(receive)
	var logger *C.dragoman_logger
	err := check(func() C.dragoman_status { return C.dragoman_go_logger(C.uintptr_t(user), C.int32_t(most), &logger) })
	if err != nil {
		user.Delete()
		return nil, err
	}
	return &Logger{newHandle(unsafe.Pointer(logger), "logger", func(pointer unsafe.Pointer) {
		C.dragoman_logger_destroy((*C.dragoman_logger)(pointer))
		user.Delete()
	})}, nil
}
