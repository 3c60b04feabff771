// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "decode/search.h"

namespace dragoman::engine {

struct SearchOptions {
    decode::SearchRules rules;
    uint32_t max_batch_size = 0;    // sentences on the device at a time; 0: chosen automatically
    uint32_t max_batch_tokens = 0;  // source tokens of these sentences; 0: chosen automatically
    // Final scores: (sum - word_penalty * length) / length^length_penalty + coverage_penalty * coverage.
    float length_penalty = 1.0f;
    float word_penalty = 0.0f;
    float coverage_penalty = 0.0f;  // needs rules.attention
    uint32_t num_hypotheses = 1;    // the most hypotheses per output; with rules.sampling the number of samples
    // The num_hypotheses best tokens after the prefix, each continued on its own (CTranslate2's return_alternatives).
    bool alternatives = false;
    float min_alternative_expansion_prob = 0.0f;
    int32_t priority = 0;  // higher priorities first
    bool partial = false;  // also report unfinished inputs; not with alternatives
};

}  // namespace dragoman::engine
