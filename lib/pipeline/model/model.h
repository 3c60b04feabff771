// SPDX-License-Identifier: Apache-2.0
// Room "model": a loaded model on a device, what a call may ask of it, and how options and languages are resolved for it
// (Plan, Route). Nothing here knows of sentences, stages or runs; no other room of the pipeline may be included.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/embedder.h"
#include "engine/model.h"
#include "files/file_set.h"
#include "pipeline/model/options.h"
#include "spec/model_spec.h"
#include "spec/prompt.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace dragoman::pipeline {

using engine::ComputeType;

struct ModelOptions {
    std::shared_ptr<engine::Device> device{};  // null: engine::Device::shared()
    ComputeType compute_type = ComputeType::automatic;
    // Paths of models of the same vocabulary that predict together with the loaded one.
    std::vector<std::string> more_models{};
    std::vector<float> weights{};  // one for each model; empty: those of its files, otherwise 1 each
    bool average_probabilities = false;  // adds up weighted probabilities, not their logarithms
};

struct ModelInfo {
    std::string path, format, family;
    uint32_t d_model = 0, heads = 0, encoder_layers = 0, decoder_layers = 0, decoder_heads = 0;
    uint32_t attention_layers = 0;  // heads of the decoder, the first layers
    uint32_t encoder_ffn = 0, decoder_ffn = 0;
    uint32_t source_vocabulary = 0, target_vocabulary = 0;
    uint64_t parameters = 0, file_bytes = 0, device_bytes = 0;
    std::string stored_types;    // "float32", "int8, float32" ...
    std::string compute_type;    // "float32", "float16" or "int8"
    bool has_tokenizer = false;  // takes and gives text; otherwise only tokens
    spec::Languages languages;   // empty: its files say nothing
    std::string version, license;  // "" if unknown; the beginning of the licence, or its name
    std::string prompt;  // "{from} TEXT </s> => </s> {to} TEXT </s>"
    uint32_t networks = 1;       // more: an ensemble; the sizes above are the first one's
    // the most that its positions allow, including special tokens; 0: any number
    uint32_t max_source_tokens = 0, max_target_tokens = 0;
    std::string compute_reason;  // why: "asked for", "fastest on GPUs"
    std::vector<std::string> lacks;  // features of the library that the model does not support
};

// A model with its vocabularies on a device. Immutable; shared between translators and threads.
class Model {
public:
    // An empty path: default_model(). Throws io_error, bad_model, unsupported, no_device, out_of_memory.
    static std::shared_ptr<const Model> load(const std::string& path, const ModelOptions& options);
    static std::shared_ptr<const Model> load(const FileSet& files, const ModelOptions& options);
    // Reads the files only; needs no device.
    static ModelInfo describe(const std::string& path);
    static ModelInfo describe(const FileSet& files);

    Model(const spec::ModelSpec& spec, const ModelOptions& options);

    const ModelInfo& info() const { return info_; }
    const spec::SearchDefaults& search() const { return search_; }  // the defaults where options say nothing
    vulkan::Context& context() const { return network_->device().context(); }
    const std::shared_ptr<const engine::Model>& network() const { return network_; }
    // Everything that its answers to ids depend on: another model, another type of computing or another device has
    // another fingerprint.
    const Fingerprint& fingerprint() const { return fingerprint_; }

    // Turns text into tokens that the model takes, and its tokens back into text, with the bytes that each token stands
    // for. They throw unsupported without a tokenizer, invalid_argument for invalid UTF-8 (naming the byte offset).
    text::TokenizedText tokenize(std::string_view text, text::Side side = text::Side::source) const;
    text::DetokenizedText detokenize(std::span<const std::string> tokens, text::Side side = text::Side::target) const;
    std::optional<double> score(std::string_view text) const { return tokenizer().score(text); }  // see text::Tokenizer
    // The text of tokens that follow others; the others' text is left out: " world", where alone it would be "world".
    text::DetokenizedText detokenize_behind(std::span<const std::string> before,
                                            std::span<const std::string> tokens) const;
    // The prompt for a pair of languages, either of which may be empty. Throws invalid_argument for a language that the
    // model does not have.
    std::shared_ptr<const spec::Prompt> prompt(const std::string& from, const std::string& to) const;
    // The target language that a text itself names at its beginning (">>de<< How are you?").
    std::optional<spec::LeadingLanguage> leading_language(std::string_view text) const;
    // The prompt for the encoder alone: the target language may be left out where only the decoder is given it.
    spec::Prompt encoder_prompt(const std::string& from, const std::string& to) const;
    // Whether the model knows a source token, and it is not one that ends every text.
    bool says_something(std::string_view token) const;
    // The longest source for which the positions and max_input_length (0: no limit) leave room, in tokens of a
    // sentence.
    uint32_t max_source_tokens(uint32_t max_input_length) const;

    // Whether it is a decoder-only model: it continues texts, and translates none.
    bool continues() const { return info_.encoder_layers == 0; }
    const text::Vocabulary& source() const { return source_; }
    const text::Vocabulary& target() const { return target_; }
    const std::string& bos_token() const { return bos_token_; }
    const std::string& eos_token() const { return eos_token_; }
    const std::optional<std::string>& decoder_start_token() const { return decoder_start_token_; }
    bool add_source_bos() const { return add_source_bos_; }
    bool add_source_eos() const { return add_source_eos_; }
    bool add_text_eos() const { return add_text_eos_; }
    bool right_to_left() const { return right_to_left_; }
    // Whether it is an encoder-only model: it gives vectors, and cannot translate.
    bool encoder_alone() const { return info_.decoder_layers == 0; }
    const engine::Embedder& embedder() const { return *embedder_; }
    const spec::EmbeddingSpec& embedding() const { return embedding_; }
    const spec::QualityWeights& quality_weights() const { return quality_weights_; }
    // Null: the model has none.
    const spec::Shortlist* shortlist() const { return shortlist_ ? &*shortlist_ : nullptr; }
    // Sequences of target ids that are never generated, as in decode::SearchRules.
    const std::vector<std::vector<uint32_t>>& never_generated() const { return never_generated_; }
    const std::shared_ptr<const decode::TokenKinds>& token_kinds() const { return token_kinds_; }

private:
    const text::Tokenizer& tokenizer() const;

    std::shared_ptr<const engine::Model> network_;
    std::unique_ptr<const engine::Embedder> embedder_;
    spec::EmbeddingSpec embedding_;
    text::Vocabulary source_, target_;
    std::unique_ptr<const text::Tokenizer> tokenizer_;
    spec::Prompts prompts_;
    std::string bos_token_, eos_token_;
    std::optional<std::string> decoder_start_token_;
    bool add_source_bos_, add_source_eos_, add_text_eos_, right_to_left_;
    spec::SearchDefaults search_;
    spec::QualityWeights quality_weights_;
    std::optional<spec::Shortlist> shortlist_;
    std::vector<std::vector<uint32_t>> never_generated_;
    std::shared_ptr<const decode::TokenKinds> token_kinds_;
    Fingerprint fingerprint_;
    ModelInfo info_;
};

}  // namespace dragoman::pipeline
