/* SPDX-License-Identifier: Apache-2.0 */
/* What the library calls. `user` is the number of a cgo.Handle. */
#ifndef DRAGOMAN_GO_CALLBACKS_H
#define DRAGOMAN_GO_CALLBACKS_H

#include <dragoman/dragoman.h>

void dragoman_go_event(const dragoman_event* event, void* user);
int32_t dragoman_go_progress(size_t done, size_t total, void* user);
int32_t dragoman_go_read(uint64_t offset, void* buffer, size_t size, void* user);
void dragoman_go_log(int32_t level, const char* line, void* user);

/* Numbers as pointers are made here: Go's memory must not hold them. */
static inline void* dragoman_go_user(uintptr_t handle) { return (void*)handle; }

static inline dragoman_status dragoman_go_set_log(uintptr_t handle, int32_t level) {
    return dragoman_set_log(handle ? dragoman_go_log : NULL, dragoman_go_user(handle), level);
}

static inline dragoman_status dragoman_go_logger(uintptr_t handle, int32_t level, dragoman_logger** logger) {
    return dragoman_logger_create(dragoman_go_log, dragoman_go_user(handle), level, logger);
}

static inline void dragoman_go_file(dragoman_file* file, uintptr_t handle) {
    file->read = dragoman_go_read;
    file->user = dragoman_go_user(handle);
}

static inline void dragoman_go_watch(dragoman_progress_fn* progress, void** user, uintptr_t handle) {
    *progress = dragoman_go_progress;
    *user = dragoman_go_user(handle);
}

static inline void dragoman_go_job(dragoman_job_options* options, uintptr_t handle) {
    options->on_event = dragoman_go_event;
    options->user = dragoman_go_user(handle);
}

#endif
