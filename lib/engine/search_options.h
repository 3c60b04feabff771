// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "decode/search.h"

namespace dragoman::engine {

struct SearchOptions {
    decode::SearchRules rules;
    uint32_t max_batch_size = 0;    // sentences on the device at a time; 0: chosen
    uint32_t max_batch_tokens = 0;  // source tokens of these; 0: chosen
    // Final scores: (sum - word_penalty * length) / length^length_penalty + coverage_penalty * coverage.
    float length_penalty = 1.0f;
    float word_penalty = 0.0f;
    float coverage_penalty = 0.0f;  // needs rules.attention
    uint32_t num_hypotheses = 1;    // at most so many in an output; with rules.sampling so many samples
    // The num_hypotheses best tokens after the prefix, each continued on its own (CTranslate2's return_alternatives).
    bool alternatives = false;
    float min_alternative_expansion_prob = 0.0f;
    int32_t priority = 0;           // higher ones first
    bool partial = false;           // also tell of unfinished inputs; not with alternatives
};

}  // namespace dragoman::engine
