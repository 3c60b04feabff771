// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "decode/search.h"
#include "nn/seq2seq.h"
#include "shared/certainty.h"

namespace dragoman::decode {

// Sizes of a session's buffers and everything else that its recorded step depends on.
struct SessionShape {
    // Sizes of the sentences that are searched at a time.
    struct Sizes {
        uint32_t slots = 1;
        uint32_t source_tokens = 0;   // summed over the sentences
        uint32_t longest_source = 0;
        uint32_t max_length = 1;
        uint32_t forced_tokens = 0;   // context and prefix of the longest
        uint32_t cache_places = 0;    // rows times steps, summed over the sentences
        bool limited = false;         // every sentence has a shortlist
    };

    spec::SearchStyle style = spec::SearchStyle::ctranslate2;
    uint32_t slots = 0;
    uint32_t beam = 1;
    uint32_t candidates = 1;       // per row
    uint32_t max_length = 0;
    uint32_t source_tokens = 0;
    uint32_t longest_source = 0;   // 0 without attention
    spec::AttentionChoice attention_of{};
    uint32_t finished_capacity = 1;
    uint32_t forced_tokens = 0;    // per slot
    uint32_t rule_words = 0;       // for end and suppressed tokens
    uint32_t cache_places = 0;
    bool limited = false;          // every sentence has a shortlist
    bool forced_scores = false;
    bool process_logits = false;   // in every step; otherwise only in steps where a minimum length may hold
    bool unprocessed_sum = false;  // scores are then relative to the logits before process_logits
    bool log_penalty = false;      // the repetition penalty needs that sum
    bool terms = false;
    bool certainty = false;

    static SessionShape of(const SearchRules& rules, const Sizes& sizes);
    // The most steps that any sentence needs in caches, ancestry and history.
    uint32_t max_steps() const { return max_length + 1; }
    uint32_t rows() const { return slots * beam; }
    // Floats per step in the buffers of attention: weights, followed by the certainty words.
    uint32_t attention_stride() const { return longest_source + (certainty ? CERTAINTY_WORDS : 0); }
    // Whether a session of this shape can serve what `other` was made for.
    bool covers(const SessionShape& other) const;
    // Whether a sentence fits into an empty session.
    bool holds(const SearchInput& input) const;

    uint64_t largest_buffer_bytes(const nn::Seq2SeqInfo& info) const;
    uint64_t total_bytes(const nn::Seq2SeqInfo& info) const;
};

// Whether end tokens are barred from its first tokens, beyond what is forced.
inline bool needs_min_length(const SearchRules& rules, const SearchInput& input) {
    const std::size_t forced = rules.prefix_bias_beta > 0.0f ? 0 : input.prefix.size();
    return input.min_length > input.context.size() + forced;
}

// Rounds up to powers of two and the halfway points between: few shapes, little waste.
uint32_t bucket(uint32_t value, uint32_t least);

}  // namespace dragoman::decode
