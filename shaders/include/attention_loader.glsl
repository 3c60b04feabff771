// SPDX-License-Identifier: Apache-2.0
// What attention asks of a kernel's tensors: attention_of_*.glsl answer for sentences, sources and caches as keys. `r` is
// the number of a row among those that are attended together.
#ifndef DRAGOMAN_ATTENTION_LOADER_GLSL
#define DRAGOMAN_ATTENTION_LOADER_GLSL
#include "shared/attention.h"

float query_scale();
CHUNK load_query(uint r, uint head, uint chunk);
uint key_at(uint key, uint head);  // the element where the head begins
uint values_offset();              // from there to its value
CHUNK load_key(uint at, uint chunk);
CHUNK load_value(uint at, uint chunk);
float bias_of(uint r, uint key, uint head);
void store_result(uint r, uint head, uint chunk, CHUNK x);

#if OWN_KEY  // a key and a value beside those: the row's own, which are not yet where the others are
CHUNK load_own_key(uint head, uint chunk);
CHUNK load_own_value(uint head, uint chunk);
void store_own(uint head, uint chunk, CHUNK key, CHUNK value);
#endif

#if KEEPS_WEIGHTS
void keep_weight(uint r, uint key, uint head, float weight);
#endif

uint bias_place(uint head, uint query, uint key, int reach) {
    return head * (2 * reach + 1) + clamp(int(key) - int(query), -reach, reach) + reach;
}

#endif
