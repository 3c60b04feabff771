// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/search_style.h"

namespace dragoman::spec {

inline constexpr float kMostTemperature = 1e3f;

// How a model is decoded where the caller sets nothing. Lengths are in target tokens, including the end token.
struct SearchDefaults {
    SearchStyle style = SearchStyle::ctranslate2;
    uint32_t beam_size = 2;
    float length_penalty = 1.0f;     // Marian: normalize
    float word_penalty = 0.0f;       // Marian
    float max_length_factor = 0.0f;  // times the source's length, including the end token; 0: off
    uint32_t max_length = 256;
    uint32_t min_length = 1;
    uint32_t max_total = 0;  // used instead, including the beginning that a decoder-only model continues; 0: not set
    uint32_t min_total = 0;  // as max_total
    EarlyStopping early_stopping = EarlyStopping::off;  // Hugging Face
    std::optional<std::string> forced_end{};            // Hugging Face: the token at the length limit
    std::vector<std::string> more_ends{};               // tokens that end a translation besides the end token
    bool renormalize = true;                            // Hugging Face: after the rules on single tokens
    float repetition_penalty = 1.0f;
    uint32_t no_repeat_ngram_size = 0;
    Sampling sampling = Sampling::off;
    float temperature = 1.0f;  // these four are used for sampling only
    uint32_t top_k = 0;
    float top_p = 1.0f;
    float min_p = 0.0f;
    bool replace_unknowns = false;  // Argos
    bool operator==(const SearchDefaults&) const = default;

    // The defaults of each engine, where neither the caller nor the model sets anything.
    static SearchDefaults of(SearchStyle style) {
        SearchDefaults defaults{.style = style};
        if (style == SearchStyle::marian) {
            defaults.beam_size = 12;
            defaults.length_penalty = 0.0f;
            defaults.max_length_factor = 3.0f;
            defaults.max_length = 4096;
            defaults.min_length = 0;
        } else if (style == SearchStyle::huggingface) {
            defaults.beam_size = 1;
            defaults.min_length = 0;
            defaults.renormalize = false;
            defaults.top_k = 50;
        }
        return defaults;
    }
};

}  // namespace dragoman::spec
