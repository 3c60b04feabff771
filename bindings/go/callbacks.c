/* SPDX-License-Identifier: Apache-2.0 */
#include "callbacks.h"

#include "_cgo_export.h"

void dragoman_go_event(const dragoman_event* event, void* user) {
    dragomanGoEvent((dragoman_event*)event, (uintptr_t)user);
}

int32_t dragoman_go_progress(size_t done, size_t total, void* user) {
    return dragomanGoProgress(done, total, (uintptr_t)user);
}

int32_t dragoman_go_read(uint64_t offset, void* buffer, size_t size, void* user) {
    return dragomanGoRead(offset, buffer, size, (uintptr_t)user);
}

void dragoman_go_log(int32_t level, const char* line, void* user) {
    dragomanGoLog(level, (char*)line, (uintptr_t)user);
}
