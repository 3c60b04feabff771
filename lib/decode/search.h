// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "decode/term.h"
#include "spec/attention_choice.h"
#include "spec/search_style.h"

namespace dragoman::decode {

inline constexpr uint32_t kMaxBeam = 64;
inline constexpr uint32_t kMaxCandidates = 128;

// Rules shared by a batch. Token ids are in the target vocabulary.
struct SearchRules {
    spec::SearchStyle style = spec::SearchStyle::ctranslate2;
    uint32_t beam_size = 1;
    float patience = 1.0f;          // ctranslate2
    bool early_exit = false;        // ctranslate2: a sentence ends when its top beam ends
    uint32_t num_hypotheses = 1;    // with early_exit: a sentence ends after this many have finished
    float length_penalty = 1.0f;    // huggingface: decides which finished hypotheses are kept
    spec::EarlyStopping early_stopping = spec::EarlyStopping::off;  // huggingface
    std::optional<uint32_t> forced_end{};  // huggingface: the token that every beam gets at the length limit
    bool renormalize = true;        // huggingface, beams: probabilities are normalised again after the rules below
    float repetition_penalty = 1.0f;
    uint32_t no_repeat_ngram_size = 0;
    float prefix_bias_beta = 0.0f;  // ctranslate2; 0: prefixes are forced
    std::vector<uint32_t> end_ids{};
    // a sequence of one id: always; of more: its last id after the others
    std::vector<std::vector<uint32_t>> suppressed{};
    // The shortlist of inputs that have none of their own.
    std::vector<uint32_t> allowed{};
    bool attention = false;         // return cross-attention
    spec::AttentionChoice attention_of{};
    bool certainty = false;         // return how certain the search was of each token; only with attention
    bool forced_scores = false;     // return the log-probability of every context token
    bool sampling = false;  // each input says how its tokens are drawn; beam_size is 1, and prefixes are not biased
    bool terms = false;             // inputs may have terms; with_terms() made these rules
    std::shared_ptr<const TokenKinds> kinds{};  // with terms; null: unknown

    // Number of continuations considered in each step; at most kMaxCandidates.
    uint32_t candidates() const;
    bool operator==(const SearchRules&) const = default;
};

// The rules for inputs with terms, with a beam large enough for them. Throws unsupported, naming a rule that cannot be
// combined with terms.
SearchRules with_terms(SearchRules rules);

// How tokens are drawn: from the softmax of logits / temperature over the tokens that top_k, then top_p, then min_p
// leave. The random numbers depend on the seed, the source, the index and the step only, not on what else runs.
struct Sampling {
    float temperature = 1.0f;  // 0: the best token
    uint32_t top_k = 0;        // keeps the most probable tokens; 0: all
    float top_p = 1.0f;        // keeps the most probable tokens whose probabilities reach this sum
    float min_p = 0.0f;        // keeps tokens whose probability is at least this share of the best one's
    uint64_t seed = 0;
    uint32_t index = 0;        // which of several samples of one source
};

struct SearchInput {
    std::vector<uint32_t> source;  // empty for a decoder-only model, which continues the context
    uint32_t start_id = 0;
    std::vector<uint32_t> context;  // fed first, outside the search: no rule applies to it
    std::vector<uint32_t> prefix;   // comes next, forced, or favoured with prefix_bias_beta
    uint32_t max_length = 256;      // target tokens, including context, prefix and end token
    uint32_t min_length = 1;        // end tokens are disabled before this length
    // A shortlist: only these tokens may come, and probabilities are taken among them. Distinct ids; empty: the whole
    // vocabulary. A search ends early only if the end ids are in it. Forced tokens need not be.
    std::vector<uint32_t> allowed{};
    Sampling sampling{};  // only with rules.sampling
    std::vector<Term> terms{};  // must come, each one time more than forced; only with rules.terms
};

// The seed of an input's random numbers: made from its source or, where there is none, from its start and context.
uint64_t sampling_source(const SearchInput& input);

// How certain a search was of a token. Forced and given tokens are certain.
struct Certainty {
    float log_prob = 0.0f;  // as in the score
    float entropy = 0.0f;  // of the distribution, in nats
    float margin = 0.0f;  // between the best token and the second, in log-probability; at most 20
    float best_log_prob = 0.0f;  // of the best token
};

struct Hypothesis {
    std::vector<uint32_t> tokens;  // including context and prefix, and the end token if there was one
    float score = 0.0f;  // sum of log-probabilities, not normalised
    std::vector<float> attention;  // [tokens][source], only with rules.attention
    std::vector<Certainty> certainty{};  // one per token, only with rules.certainty
    uint32_t terms_met = 0;  // bit i: terms[i] has come; all bits are set unless the length limit came first
};

struct SearchOutput {
    std::vector<Hypothesis> hypotheses;  // unsorted, at least one
    std::vector<float> forced_scores;  // one per context token, only with rules.forced_scores
    bool overflowed = false;  // logits were not finite; the hypotheses mean nothing
    // The input, if a network with wider activations (Seq2Seq::widened) may do better. There may be no hypothesis then.
    std::optional<SearchInput> rerun_f32{};
};

struct SearchStats {
    uint64_t batches = 0;  // how often sentences entered and the encoder ran for them
    uint64_t decoder_steps = 0;  // steps with at least one sentence
    uint64_t slot_steps = 0;  // sentences, summed over all steps
    uint64_t row_steps = 0;  // hypotheses, summed over all steps
    uint64_t dispatches_per_step = 0;  // in the last chunk
    uint64_t overflowed = 0;  // sentences that were given up, to be searched again by a wider network
    uint64_t pipelines_awaited = 0;  // pipelines that were not compiled when sentences needed them
    uint64_t pipelines_late = 0;  // the ones of these that came after the first chunk of a search

    SearchStats& operator+=(const SearchStats& other);  // keeps the larger dispatches_per_step
};

struct StreamLimits {
    uint32_t slots = 32;  // sentences searched at a time
    uint32_t source_tokens = 4096;  // tokens of these sentences
    uint32_t express_slots = 0;  // additional slots for express sentences only
    uint64_t memory_bytes = 0;  // for buffers; 0: half of what the device has free
    bool operator==(const StreamLimits&) const = default;
};

}  // namespace dragoman::decode
