// SPDX-License-Identifier: Apache-2.0
#include "decode/session_shape.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "ops/topk.h"
#include "shared/search.h"

namespace dragoman::decode {

namespace {

// Marian's suppressed tokens keep their probability. A few can be left to the search step, which skips them in a list
// that is longer by their number; otherwise the sum is taken before they are disabled.
uint32_t passed_over_of(const SearchRules& rules) {
    constexpr std::size_t kFew = 4;
    const bool few = rules.suppressed.size() <= kFew &&
                     rules.candidates() + rules.suppressed.size() <= kMaxCandidates &&
                     std::ranges::all_of(rules.suppressed, [](const auto& sequence) { return sequence.size() == 1; });
    return rules.style == spec::SearchStyle::marian && few && !rules.sampling ? uint32_t(rules.suppressed.size()) : 0;
}

}  // namespace

uint32_t bucket(uint32_t value, uint32_t least) {
    uint32_t size = least;
    while (size < value) size = size == 1 ? 2 : std::has_single_bit(size) ? size + size / 2 : size / 3 * 4;
    return size;
}

SessionShape SessionShape::of(const SearchRules& rules, const Sizes& sizes) {
    SessionShape shape;
    shape.style = rules.style;
    shape.slots = sizes.slots;
    shape.beam = rules.beam_size;
    const uint32_t passed_over = passed_over_of(rules);
    shape.candidates = rules.candidates() + passed_over;
    shape.terms = rules.terms;
    if (rules.terms) shape.candidates += uint32_t(rules.end_ids.size());  // end tokens may be barred
    shape.max_length = bucket(sizes.max_length, 32);
    shape.source_tokens = bucket(std::max(sizes.source_tokens, sizes.longest_source), 32);
    const bool attends = rules.attention || (rules.terms && sizes.longest_source > 0);
    shape.longest_source = attends ? bucket(std::max(sizes.longest_source, 1u), 16) : 0;
    if (attends) shape.attention_of = rules.attention_of;
    const auto most = uint32_t(std::lround(float(rules.beam_size) * rules.patience));
    if (rules.style != spec::SearchStyle::ctranslate2) shape.finished_capacity = rules.beam_size;
    else if (shape.candidates == 1) shape.finished_capacity = 1;
    else shape.finished_capacity = std::max(most, rules.num_hypotheses) + rules.beam_size;
    shape.forced_tokens = sizes.forced_tokens > 0 ? bucket(sizes.forced_tokens, 8) : 0;
    shape.rule_words = uint32_t(rules.end_ids.size());
    for (const auto& sequence : rules.suppressed) shape.rule_words += 1 + uint32_t(sequence.size());
    shape.cache_places = sizes.cache_places;
    shape.limited = sizes.limited;
    shape.forced_scores = rules.forced_scores;
    shape.certainty = rules.certainty && attends;
    shape.process_logits = rules.repetition_penalty != 1.0f || rules.no_repeat_ngram_size > 0 ||
                           rules.suppressed.size() > passed_over;
    const bool own_softmax = rules.style == spec::SearchStyle::marian ||
                             (rules.style == spec::SearchStyle::huggingface && rules.beam_size > 1);
    shape.unprocessed_sum = own_softmax && (rules.style == spec::SearchStyle::marian || !rules.renormalize);
    shape.log_penalty = own_softmax && rules.repetition_penalty != 1.0f;
    return shape;
}

bool SessionShape::holds(const SearchInput& input) const {
    return input.source.size() <= source_tokens && input.max_length <= max_length &&
           input.context.size() + input.prefix.size() <= forced_tokens &&
           (longest_source == 0 || input.source.size() <= longest_source) && limited != input.allowed.empty();
}

bool SessionShape::covers(const SessionShape& other) const {
    return slots >= other.slots && max_length >= other.max_length && source_tokens >= other.source_tokens &&
           longest_source >= other.longest_source && forced_tokens >= other.forced_tokens &&
           cache_places >= other.cache_places && limited == other.limited;
}

uint64_t SessionShape::largest_buffer_bytes(const nn::Seq2SeqInfo& info) const {
    const uint64_t steps = uint64_t(rows()) * max_steps();
    const uint64_t logits = (info.target_vocabulary + 3ull) / 4 * 16;  // bytes per row
    return std::max<uint64_t>(
        {cache_places * info.largest_bytes_per_step, rows() * logits,
         rows() * (candidates * 8ull + 16) + ops::column_records_bytes(rows(), info.target_vocabulary),
         steps * 3 * 4 + uint64_t(rows()) * 64, steps * attention_stride() * (terms ? 8 : 4),
         uint64_t(slots) * finished_capacity * max_length * std::max(attention_stride(), 1u) * 4});
}

uint64_t SessionShape::total_bytes(const nn::Seq2SeqInfo& info) const {
    return cache_places * info.cache_bytes_per_step +
           uint64_t(rows()) * max_steps() * (3 * 4 + attention_stride() * (terms ? 8 : 4)) +
           (terms ? uint64_t(slots) * TERM_SLOT_WORDS * 4 : 0) +
           rows() * (info.state_bytes_per_row + info.target_vocabulary * 4ull) +
           source_tokens * info.memory_bytes_per_token +
           uint64_t(slots) * finished_capacity * max_length * (attention_stride() + 1) * 4;
}

}  // namespace dragoman::decode
