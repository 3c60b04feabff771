// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace dragoman::spec {

// The engine whose beam search is followed; docs/options.md has the rules of each.
enum class SearchStyle : int { ctranslate2 = 1, marian = 2, huggingface = 3 };

// Hugging Face: when a sentence ends, once as many hypotheses as beams have finished.
enum class EarlyStopping : int {
    off = 1,    // the best live beam, at its length, is worse than all finished ones
    on = 2,     // at once
    never = 3,  // the best live beam could not become better even at the longest length
};

// Whether tokens are drawn by their probabilities.
enum class Sampling : int { off = 1, on = 2 };

}  // namespace dragoman::spec
