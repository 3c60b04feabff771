// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model.h"
#include "files/file_set.h"
#include "spec/search_defaults.h"
#include "spec/search_style.h"
#include "text/tokenizer.h"
#include "vulkan/context.h"

namespace dragoman::translate {

using Tokens = std::vector<std::string>;

using engine::ComputeType;

struct ModelOptions {
    vulkan::ContextOptions device;
    ComputeType compute_type = ComputeType::automatic;
    std::shared_ptr<engine::Device> on{};  // null: one of the model's own, opened with the options in `device`
};

struct ModelInfo {
    std::string path, format, family;
    uint32_t d_model = 0, heads = 0, encoder_layers = 0, decoder_layers = 0, decoder_heads = 0;
    uint32_t encoder_ffn = 0, decoder_ffn = 0;
    uint32_t source_vocabulary = 0, target_vocabulary = 0;
    uint64_t parameters = 0, file_bytes = 0, device_bytes = 0;
    std::string stored_types;    // "float32", "int8, float32" ...
    std::string compute_type;    // "float32", "float16" or "int8"
    bool has_tokenizer = false;  // text can go in and out; else only tokens
    Tokens source_languages, target_languages;  // codes as the format has them; empty: it says nothing
    std::string version, license;               // likewise; the licence's beginning, or its name
};

// A loaded model on one device. Immutable; shared between translators and threads.
class Model {
public:
    // An empty path: default_model(). Throws io_error, bad_model, unsupported, no_device, out_of_memory.
    static std::shared_ptr<const Model> load(const std::string& path, const ModelOptions& options);
    static std::shared_ptr<const Model> load(const FileSet& files, const ModelOptions& options);
    // Reads the files only; needs no device.
    static ModelInfo describe(const std::string& path);
    static ModelInfo describe(const FileSet& files);
    virtual ~Model() = default;
    virtual const ModelInfo& info() const = 0;
    // How translate() searches where its options do not say.
    virtual const spec::SearchDefaults& search() const = 0;
    virtual vulkan::Context& context() const = 0;
    // Text to tokens that translate() takes, and its tokens back to text. Throw unsupported without a tokenizer,
    // invalid_argument for invalid UTF-8 (names the byte offset).
    virtual Tokens tokenize(std::string_view text, text::Side side = text::Side::source) const = 0;
    virtual std::string detokenize(std::span<const std::string> tokens, text::Side side = text::Side::target) const = 0;
    // Source tokens that say which language to translate to, ">>de<<"; empty for most models.
    virtual const Tokens& language_codes() const = 0;
    // The one of them for a language as a caller says it; empty: none is needed. Throws invalid_argument.
    virtual std::string_view language_code(std::string_view language) const = 0;
    // Whether the model knows a source token, and it is not one that ends every text.
    virtual bool says_something(std::string_view token) const = 0;
    // Longest source that the positions and max_input_length (0: no limit) leave room for, in the caller's tokens.
    virtual uint32_t max_source_tokens(uint32_t max_input_length) const = 0;
};

inline constexpr uint32_t kAllHeads = UINT32_MAX;

// Decoding options, named as in CTranslate2's TranslationOptions, checked by translate(). What is not set is as the
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

struct Request {
    Tokens source;
    Tokens target_prefix;  // in the order of generation: models that write right to left start with the last token
};

struct Hypothesis {
    Tokens tokens;
    float score = 0.0f;                         // normalised; 0 unless return_scores
    std::vector<std::vector<float>> attention;  // [target token][source token]; empty unless asked for
};

struct Result {
    std::vector<Hypothesis> hypotheses;  // best first
};

struct ScoreResult {
    Tokens tokens;               // target tokens scored, end token last
    std::vector<float> log_probs;  // natural logarithm, one per token
};

struct TranslatorStats {
    uint64_t sentences = 0, source_tokens = 0, target_tokens = 0;
    uint64_t batches = 0;                // times that sentences entered the search, and their encoder ran
    uint64_t decoder_steps = 0;          // recorded step replays with any sentence
    uint64_t slot_steps = 0;             // sentences in them, all steps together
    uint64_t row_steps = 0;              // and their hypotheses
    uint64_t dispatches_per_step = 0;    // of the last chunk of steps
    uint64_t padding_tokens = 0;         // always 0: batches are ragged
    vulkan::ContextStats device;         // since the translator was made
};

// Called between chunks of decoder steps, on the thread that called translate. done of total sentences.
// Returning false cancels: translate throws Error{cancelled}.
using Progress = std::function<bool(std::size_t done, std::size_t total)>;

// Translates with one model. Calls from several threads share the device: sentences of equal search rules run together,
// and short calls overtake long ones (engine/scheduler.h).
class Translator {
public:
    static std::unique_ptr<Translator> create(std::shared_ptr<const Model> model);
    virtual ~Translator() = default;
    virtual const Model& model() const = 0;
    // One result per request, in order; without requests it only checks the options, at once. Throws invalid_argument
    // (options, unknown tokens in suppress_sequences or end_tokens), out_of_memory, device_lost, cancelled.
    virtual std::vector<Result> translate(std::span<const Request> requests, const TranslateOptions& options,
                                          const Progress& progress = {}) = 0;
    // Log-probability of each target given its source. max_input_length cuts both sides.
    virtual std::vector<ScoreResult> score(std::span<const Request> source_target_pairs,
                                           uint32_t max_input_length = 1024) = 0;
    virtual TranslatorStats stats() const = 0;
    virtual void reset_stats() = 0;
    virtual void trim() = 0;  // gives everything back but the weights and what is at work
};

}  // namespace dragoman::translate
