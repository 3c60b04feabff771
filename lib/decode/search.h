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

// Rules shared by a batch. Ids are of the target vocabulary.
struct SearchRules {
    spec::SearchStyle style = spec::SearchStyle::ctranslate2;
    uint32_t beam_size = 1;
    float patience = 1.0f;          // ctranslate2
    bool early_exit = false;        // ctranslate2: the first finished top beam ends a sentence
    uint32_t num_hypotheses = 1;    // with early_exit: not before that many have finished
    float length_penalty = 1.0f;    // huggingface: which finished hypotheses are kept
    spec::EarlyStopping early_stopping = spec::EarlyStopping::off;  // huggingface
    std::optional<uint32_t> forced_end{};  // huggingface: what every beam gets at the length limit
    bool renormalize = true;        // huggingface, beams: probabilities after the rules below add up to 1
    float repetition_penalty = 1.0f;
    uint32_t no_repeat_ngram_size = 0;
    float prefix_bias_beta = 0.0f;  // ctranslate2; 0: prefixes are forced
    std::vector<uint32_t> end_ids{};
    std::vector<std::vector<uint32_t>> suppressed{};  // one id: always; more: the last one after the others
    // The shortlist of inputs that bring none.
    std::vector<uint32_t> allowed{};
    bool attention = false;         // keep cross-attention
    spec::AttentionChoice attention_of{};
    bool certainty = false;         // say of each token how sure the search was of it; only with attention
    bool forced_scores = false;     // record the log-probability of every context token
    bool sampling = false;          // tokens are drawn as each input says; beam_size is 1, without a biased prefix
    bool terms = false;             // inputs may have terms; rules made by with_terms()
    std::shared_ptr<const TokenKinds> kinds{};  // with terms; null: not known

    // Continuations looked at in each step; at most kMaxCandidates.
    uint32_t candidates() const;
    bool operator==(const SearchRules&) const = default;
};

// The rules for inputs with terms: a beam in which these find room. Throws unsupported, naming what does not go with
// terms.
SearchRules with_terms(SearchRules rules);

// How tokens are drawn: from the softmax of logits / temperature over what top_k, then top_p, then min_p leave. The
// random numbers depend on the seed, the source, the index and the step, and so not on what else runs.
struct Sampling {
    float temperature = 1.0f;  // 0: the best token
    uint32_t top_k = 0;        // the most probable tokens; 0: all
    float top_p = 1.0f;        // the most probable tokens that have this share together
    float min_p = 0.0f;        // tokens at least so probable as this share of the best one's probability
    uint64_t seed = 0;
    uint32_t index = 0;        // of several samples of one source
};

struct SearchInput {
    std::vector<uint32_t> source;  // empty for a decoder alone, which continues the context
    uint32_t start_id = 0;
    std::vector<uint32_t> context;  // fed first, outside the search: no rule sees it
    std::vector<uint32_t> prefix;   // then forced, or favoured with prefix_bias_beta
    uint32_t max_length = 256;      // tokens of the target, context and prefix included, end token too
    uint32_t min_length = 1;        // end tokens are disabled at earlier positions
    // A shortlist: no other token may come, and probabilities are taken among these. Distinct ids; empty: the whole
    // vocabulary. A search ends early only if the end ids are in it. Forced tokens need not be.
    std::vector<uint32_t> allowed{};
    Sampling sampling{};  // only with rules.sampling
    std::vector<Term> terms{};  // that must come, each once more; only with rules.terms
};

// Which random numbers an input gets: by its source, or, where there is none, by the start and the context.
uint64_t sampling_source(const SearchInput& input);

// How sure a search was of a token. What was forced or given is certain.
struct Certainty {
    float log_prob = 0.0f;       // as in the score
    float entropy = 0.0f;        // of what might have come, in nats
    float margin = 0.0f;         // between the best of that and the second, in log-probability; at most 20
    float best_log_prob = 0.0f;  // of the best
};

struct Hypothesis {
    std::vector<uint32_t> tokens;  // context and prefix included, end token last if it ended so
    float score = 0.0f;            // sum of log-probabilities, not normalised
    std::vector<float> attention;  // [tokens][source], only with rules.attention
    std::vector<Certainty> certainty{};  // one per token, only with rules.certainty
    uint32_t terms_met = 0;        // bit i: terms[i] has come; all of them, unless the length limit came first
};

struct SearchOutput {
    std::vector<Hypothesis> hypotheses;  // unsorted, at least one
    std::vector<float> forced_scores;    // one per context token, only with rules.forced_scores
    bool overflowed = false;             // logits were no numbers; the hypotheses mean nothing
    // The input, where a network with wider activations (Seq2Seq::widened) may do better. Then there may be no hypothesis.
    std::optional<SearchInput> again{};
};

struct SearchStats {
    uint64_t batches = 0;        // times that sentences entered, and their encoder ran
    uint64_t decoder_steps = 0;  // with any sentence
    uint64_t slot_steps = 0;     // sentences in them, all steps together
    uint64_t row_steps = 0;      // and their hypotheses
    uint64_t dispatches_per_step = 0;  // of the last chunk
    uint64_t overflowed = 0;           // sentences that were given up: to be searched again by a wider network
    uint64_t pipelines_awaited = 0;    // that were not compiled when sentences needed them
    uint64_t pipelines_late = 0;       // of these, after the first chunk of a search
};

struct StreamLimits {
    uint32_t slots = 32;            // sentences searched at a time
    uint32_t source_tokens = 4096;  // of these sentences
    uint32_t express_slots = 0;     // more, for express sentences only
    uint64_t memory_bytes = 0;      // for buffers; 0: half of what the device has free
    bool operator==(const StreamLimits&) const = default;
};

}  // namespace dragoman::decode
