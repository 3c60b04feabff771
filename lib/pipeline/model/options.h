// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/search_style.h"

namespace dragoman::decode {
struct SearchRules;
}
namespace dragoman::recall {
class Memory;
}
namespace dragoman::spec {
struct SearchDefaults;
}
namespace dragoman::text {
class Glossary;
class Vocabulary;
}

namespace dragoman::pipeline {

using Tokens = std::vector<std::string>;
struct ModelInfo;

inline constexpr std::string_view kAutomatic = "auto";  // a language that is found in the text
inline constexpr uint32_t kAllHeads = UINT32_MAX;

// Decoding options, named as in CTranslate2's TranslationOptions, checked by resolve(). What is not set is as the
// model says, or the engine it was made for (spec/search_defaults.h).
struct TranslateOptions {
    std::optional<spec::SearchStyle> search{};          // not set: that engine's
    std::optional<uint32_t> beam_size{};
    float patience = 1.0f;
    std::optional<float> length_penalty{};
    std::optional<float> word_penalty{};          // Marian's search
    std::optional<spec::EarlyStopping> early_stopping{};  // Hugging Face's search
    float coverage_penalty = 0.0f;
    std::optional<float> repetition_penalty{};
    std::optional<uint32_t> no_repeat_ngram_size{};
    std::optional<spec::Sampling> sampling{};
    std::optional<float> temperature{};           // these five only with sampling
    std::optional<uint32_t> top_k{};              // 0: all tokens
    std::optional<float> top_p{};
    std::optional<float> min_p{};
    uint32_t seed = 0;
    bool disable_unk = false;
    std::vector<Tokens> suppress_sequences;
    float prefix_bias_beta = 0.0f;          // 0: a target prefix is forced
    std::vector<std::string> end_tokens;    // empty: the model's eos
    bool return_end_token = false;
    uint32_t max_input_length = 1024;       // tokens, BOS/EOS included; longer inputs are cut. 0: no limit
    std::optional<uint32_t> max_decoding_length{};  // tokens, end token included
    std::optional<float> max_length_factor{};       // the same, in lengths of the source with its end token; 0: off
    std::optional<uint32_t> min_decoding_length{};
    uint32_t num_hypotheses = 1;
    bool return_scores = false;
    bool return_attention = false;
    uint32_t attention_layer = 0;           // of the decoder, from 1; 0: the model's alignment layer
    uint32_t attention_head = 0;            // from 1; 0: the mean of the model's alignment heads; kAllHeads: of all
    bool return_alternatives = false;
    float min_alternative_expansion_prob = 0.0f;
    bool replace_unknowns = false;
    bool use_shortlist = false;             // only tokens the model's lexical shortlist has for a sentence may come
    uint32_t max_batch_tokens = 0;          // source tokens on the device at a time; 0: chosen from memory
    uint32_t max_batch_size = 0;            // sentences on the device at a time; 0: chosen
};

// What a text is beside words: its tags stay, and what stands in them is translated.
enum class Markup { none, html, xml };

// How whole texts become what the model translates.
struct TextOptions {
    // false: each text is one sequence, and max_input_length cuts it.
    bool split_sentences = true;
    bool join_lines = false;          // a single line break is a space; else it ends a sentence
    std::string source_language;      // as spec::LanguageTag::find() takes it; kAutomatic; empty: unknown
    std::string target_language;      // likewise; empty: the text's own code or the model's only language
    uint32_t max_segment_tokens = 0;  // longer sentences are cut in parts; 0: 128. Never more than the model can take.
    // Terms that translations must have: found in each sentence, and forced in the search. Null: none.
    std::shared_ptr<const text::Glossary> glossary{};
    bool keep_spans = false;          // what stays as it is (placeholders, addresses, names of programs) is forced, too
    bool return_tokens = true;        // false saves memory: no tokens in the result
    Markup markup = Markup::none;
    // What was translated before, by models and by people, and what is translated now. Null: none.
    std::shared_ptr<recall::Memory> memory{};
    bool return_alignment = false;    // which source words each word of a translation stands for
    bool return_quality = false;      // how sure each sentence and word of a translation is
    float quality_marks = 0.0f;       // in HTML, words whose score is lower are marked; 0: none
    bool raw = false;                 // the model sees texts as they are, and nothing is put into its translations
};

// The model's way of searching with what the options set. A search that the model was not made for has its own
// defaults, except for the beam size. Throws invalid_argument naming the option, its value and what is allowed.
spec::SearchDefaults resolve(const TranslateOptions& options, const spec::SearchDefaults& of_model);

// Whether the model has the layer and head that attention is wanted of.
void check_attention(const TranslateOptions& options, const ModelInfo& model);

// The rules of resolved options, with tokens as ids. Throws invalid_argument for unknown tokens and for more
// continuations per step than the device can list.
decode::SearchRules search_rules(const TranslateOptions& options, const spec::SearchDefaults& search,
                                 const text::Vocabulary& target, const std::string& eos_token);

}  // namespace dragoman::pipeline
