// SPDX-License-Identifier: Apache-2.0
#include "decode/search.h"

#include <algorithm>

#include "ops/topk.h"

namespace dragoman::decode {

static_assert(kMaxCandidates <= ops::kMaxTopK && kMaxCandidates >= 2 * kMaxBeam);

uint32_t SearchRules::candidates() const {
    switch (style) {
        case spec::SearchStyle::marian: return beam_size;
        case spec::SearchStyle::huggingface:
            return beam_size == 1 ? 1 : beam_size * std::max(1 + uint32_t(end_ids.size()), 2u);
        case spec::SearchStyle::ctranslate2: break;
    }
    // Greedy search needs one candidate; biased decoding can move the favoured token above the best one.
    return beam_size == 1 && prefix_bias_beta == 0.0f ? 1 : 2 * beam_size;
}

}  // namespace dragoman::decode
