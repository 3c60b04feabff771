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

// The finalizer of SplitMix64 (Steele, Lea, Flood 2014), token by token.
uint64_t sampling_source(const SearchInput& input) {
    const bool alone = input.source.empty();
    uint64_t hash = alone ? input.context.size() + 1 : input.source.size();
    const auto mix = [&](uint32_t id) {
        hash += id + 0x9E3779B97F4A7C15ull;
        hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9ull;
        hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EBull;
        hash ^= hash >> 31;
    };
    if (alone) mix(input.start_id);
    for (const uint32_t id : alone ? input.context : input.source) mix(id);
    return hash;
}

}  // namespace dragoman::decode
