/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled as C99 with -Werror -pedantic: the header as a C program sees it. */
#include <dragoman/dragoman.h>

#include "header_c99.h"

#define ROW(type) {#type, sizeof(type)}

static const struct_size_row rows[] = {
    ROW(dragoman_string),        ROW(dragoman_tokens),        ROW(dragoman_matrix),
    ROW(dragoman_device_info),   ROW(dragoman_model_options), ROW(dragoman_model_info),
    ROW(dragoman_translate_options), ROW(dragoman_score_options), ROW(dragoman_stats),
    ROW(dragoman_status),        ROW(dragoman_sentence),      ROW(dragoman_bench_options),
    ROW(dragoman_range),         ROW(dragoman_memory_info),   ROW(dragoman_file),
    ROW(dragoman_event),         ROW(dragoman_job_options),   ROW(dragoman_job_info),
};

const struct_size_row* c99_struct_sizes(size_t* count) {
    *count = sizeof rows / sizeof rows[0];
    return rows;
}

uint32_t c99_default_beam_size(void) {
    dragoman_translate_options options;
    return dragoman_translate_options_init(&options) == DRAGOMAN_OK ? options.beam_size : 0;
}
