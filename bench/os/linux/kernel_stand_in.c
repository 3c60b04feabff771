// SPDX-License-Identifier: Apache-2.0
// Comes before one of Mesa's noop drm shims (LD_PRELOAD) and corrects what they answer: a program that records and
// submits, as bench_picked does, would wait for ever for work that nothing does, and Arm's shim names core variant 0
// where the driver knows some GPUs by another one (PAN_GPU_VARIANT).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

// These are from drm.h and panthor_drm.h; the type 'd' and the number of a request are its lower 16 bits.
enum { kSyncobjWait = 0x64c3, kSyncobjTimelineWait = 0x64ca, kSyncobjQuery = 0x64cb, kPanthorQuery = 0x6440 };

struct syncobj_query {
    uint64_t handles, points;
    uint32_t count, flags;
};
struct panthor_query {
    uint32_t type, size;
    uint64_t pointer;
};
enum { kPanthorGpuInfo = 0, kCoreFeatures = 24 };  // the 24th word of what that query gives

// Every point of every timeline is reached: far, but not so far that a driver's sums overflow.
static void reach_points(const struct syncobj_query* query) {
    uint64_t* points = (uint64_t*)(uintptr_t)query->points;
    for (uint32_t i = 0; points && i < query->count; ++i) points[i] = UINT64_C(1) << 48;
}

static void name_variant(const struct panthor_query* query) {
    const char* variant = getenv("PAN_GPU_VARIANT");
    uint32_t* words = (uint32_t*)(uintptr_t)query->pointer;
    if (variant && words && query->type == kPanthorGpuInfo && query->size > 4 * kCoreFeatures)
        words[kCoreFeatures] = (uint32_t)strtoul(variant, NULL, 0);
}

int ioctl(int file, unsigned long request, ...) {
    static int (*next)(int, unsigned long, void*);
    va_list arguments;
    va_start(arguments, request);
    void* argument = va_arg(arguments, void*);
    va_end(arguments);
    if (!next) next = (int (*)(int, unsigned long, void*))dlsym(RTLD_NEXT, "ioctl");
    switch (request & 0xffff) {
        case kSyncobjWait:
        case kSyncobjTimelineWait: return 0;
        case kSyncobjQuery: reach_points(argument); return 0;
    }
    const int result = next(file, request, argument);
    if (result == 0 && (request & 0xffff) == kPanthorQuery) name_variant(argument);
    return result;
}
