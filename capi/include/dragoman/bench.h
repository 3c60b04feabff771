/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_BENCH_H
#define DRAGOMAN_BENCH_H

/**
 * @file
 * Measuring a model, and checking a device. Part of dragoman.h, which has the rules.
 */

#include <dragoman/translator.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The measurements to make. Flags are 0 or 1. */
typedef struct dragoman_bench_options {
    uint32_t struct_size;                  /**< bytes of this struct, set by dragoman_bench_options_init() */
    uint32_t repeat;                       /**< timed runs after one that warms up; default 5 */
    uint32_t latency_samples;              /**< inputs translated alone, taken in turn; default 32; 0: none */
    uint32_t synthetic_sentences;          /**< where there are no inputs: sentences of random words; default 32 */
    uint32_t synthetic_tokens;             /**< their length; default 25 */
    uint32_t seed;                         /**< of the random words; default 1 */
    int32_t ceilings;                      /**< the best the device can do; default 1 */
    int32_t passes;                        /**< the device's time by pass, where it has timestamps; default 1 */
    const dragoman_device_options* device; /**< which device to open for it; NULL (default): the defaults */
} dragoman_bench_options;

/** Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_bench_options_init_sized(dragoman_bench_options* options, size_t struct_size);
/** As dragoman_bench_options_init_sized(), for the struct as this header has it. */
static inline dragoman_status dragoman_bench_options_init(dragoman_bench_options* options) {
    return dragoman_bench_options_init_sized(options, sizeof *options);
}

/** The results of measuring or checking. Never changes; any number of threads may read it. */
typedef struct dragoman_report dragoman_report;

/**
 * Loads the model at `path`, translates `count` texts again and again and measures throughput, latency and memory, and
 * the device's time by pass against the best it can do. Other work on the device or the machine shows in the numbers.
 * The inputs are the sentences of the texts, prepared once with `options` as dragoman_translate_texts() does it: each
 * different one once, without those that are only copied. `count` 0: random words. `model_options` must name no
 * device: bench_options has one. The three options NULL: the defaults. Any thread.
 * Statuses: those of dragoman_model_load() and dragoman_translate_texts(); DRAGOMAN_UNSUPPORTED also for texts in which
 * there is nothing to translate.
 */
DRAGOMAN_API dragoman_status dragoman_bench_texts(const char* path, const dragoman_model_options* model_options,
                                                  const dragoman_string* texts, size_t count,
                                                  const dragoman_translate_options* options,
                                                  const dragoman_bench_options* bench_options,
                                                  dragoman_report** report);

/** The same with sequences of source tokens, see dragoman_translate_tokens(). */
DRAGOMAN_API dragoman_status dragoman_bench_tokens(const char* path, const dragoman_model_options* model_options,
                                                   const dragoman_tokens* sources, size_t count,
                                                   const dragoman_translate_options* options,
                                                   const dragoman_bench_options* bench_options,
                                                   dragoman_report** report);

/**
 * Runs every kernel that models of usual shapes use on a device on small inputs, compares with loops in double
 * precision, and says which give wrong results, for a bug report. The library does the same with every kernel before it
 * uses it for the first time, and takes another one in place of one that is wrong; the results are kept next to the
 * compiled pipelines, and replaced by this call. It takes seconds where no pipelines are kept. Of several devices that
 * work together each is checked, one after the other; the report of the first one has the others' in "others". Models on
 * the device may be at work. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_DEVICE_LOST.
 */
DRAGOMAN_API dragoman_status dragoman_device_check(const dragoman_device* device, dragoman_report** report);

/** Ends the handle and everything borrowed from it. */
DRAGOMAN_API void dragoman_report_destroy(dragoman_report* report);

/** The report as a JSON object; docs/bench.md and docs/devices.md say what is in it. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_report_json(const dragoman_report* report, dragoman_string* json);

#ifdef __cplusplus
}
#endif

#endif
