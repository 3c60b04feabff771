// SPDX-License-Identifier: Apache-2.0
#include "decode/search.h"

#include <algorithm>

#include "base/error.h"
#include "decode/terms.h"
#include "ops/topk.h"

namespace dragoman::decode {

SearchStats& SearchStats::operator+=(const SearchStats& other) {
    batches += other.batches;
    decoder_steps += other.decoder_steps;
    slot_steps += other.slot_steps;
    row_steps += other.row_steps;
    dispatches_per_step = std::max(dispatches_per_step, other.dispatches_per_step);
    overflowed += other.overflowed;
    pipelines_awaited += other.pipelines_awaited;
    pipelines_late += other.pipelines_late;
    return *this;
}

static_assert(kMaxCandidates <= ops::kMaxTopK && kMaxCandidates >= 2 * kMaxBeam);

uint32_t SearchRules::candidates() const {
    switch (style) {
        case spec::SearchStyle::marian: return beam_size;
        case spec::SearchStyle::huggingface:
            return beam_size == 1 ? 1 : beam_size * std::max(1 + uint32_t(end_ids.size()), 2u);
        case spec::SearchStyle::ctranslate2: break;
    }
    // Greedy search needs one candidate; a biased prefix can lift the favoured token above the best one.
    return beam_size == 1 && prefix_bias_beta == 0.0f ? 1 : 2 * beam_size;
}

SearchRules with_terms(SearchRules rules) {
    constexpr uint32_t kLeastBeam = 4;
    const auto refuse = [](const char* other) {
        fail(Status::unsupported, "terms: expected a search without {}, which cannot be combined with them", other);
    };
    if (rules.sampling) refuse("sampling");
    if (rules.prefix_bias_beta > 0.0f) refuse("a biased prefix");
    if (rules.forced_scores) refuse("scores of forced tokens");
    const uint32_t most = std::min<uint32_t>(kMaxTermBeam,
                                             kMaxTermCandidates / (1 + std::max<std::size_t>(rules.end_ids.size(), 1)));
    if (rules.beam_size > most)
        fail(Status::unsupported, "terms: expected a beam of at most {}, got {}", most, rules.beam_size);
    rules.beam_size = std::max(rules.beam_size, kLeastBeam);
    rules.terms = true;
    return rules;
}

// Mixes the tokens one by one with the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
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
