/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct struct_size_row {
    const char* name;
    size_t size;
} struct_size_row;

typedef struct value_row {
    const char* name;
    int64_t value;
} value_row;

const value_row* c99_values(size_t* count);
const struct_size_row* c99_struct_sizes(size_t* count);
/* Of documents.h. */
const value_row* c99_document_values(size_t* count);
const struct_size_row* c99_document_struct_sizes(size_t* count);
/* Of models.h. */
const struct_size_row* c99_models_struct_sizes(size_t* count);
uint32_t c99_default_beam_size(void);

#ifdef __cplusplus
}
#endif
