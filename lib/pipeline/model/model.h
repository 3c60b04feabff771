// SPDX-License-Identifier: Apache-2.0
// Room "model": a loaded model on a device, what a call may ask of it, and how options and languages are resolved for it
// (Plan, Route). Nothing here knows of sentences, stages or runs; no other room of the pipeline may be included.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/side.h"

namespace dragoman {
class FileSet;
class Fingerprint;
}  // namespace dragoman
namespace dragoman::engine {
class Replicas;
}  // namespace dragoman::engine
namespace dragoman::spec {
struct EmbeddingSpec;
struct Language;
struct Languages;
struct LeadingLanguage;
struct ModelSpec;
struct Prompt;
struct QualityWeights;
struct SearchDefaults;
class Shortlist;
}  // namespace dragoman::spec
namespace dragoman::text {
struct DetokenizedText;
struct TokenizedText;
class Vocabulary;
}  // namespace dragoman::text
namespace dragoman::vulkan {
class Context;
}

namespace dragoman::pipeline {

struct ModelInfo;
struct ModelOptions;

// A model with its vocabularies on a device. Immutable; shared between translators and threads.
class Model {
public:
    // An empty path: default_model(). Throws io_error, bad_model, unsupported, no_device, out_of_memory.
    static std::shared_ptr<const Model> load(const std::string& path, const ModelOptions& options);
    static std::shared_ptr<const Model> load(const FileSet& files, const ModelOptions& options);
    // Reads the files only; needs no device.
    static ModelInfo describe(const std::string& path);
    static ModelInfo describe(const FileSet& files);

    // `read_again` gives the same once more, where its device is lost (networks.h).
    Model(const spec::ModelSpec& spec, const ModelOptions& options, std::function<spec::ModelSpec()> read_again = {});
    ~Model();
    Model(const Model&) = delete;

    const ModelInfo& info() const;
    const spec::Languages& languages() const;  // those of info()
    const spec::SearchDefaults& search() const;  // the defaults where options say nothing
    // The first device's; the reference lasts until that is opened again after a loss.
    vulkan::Context& context() const;
    const std::shared_ptr<const engine::Replicas>& replicas() const;
    // Everything that its answers to ids depend on: another model, another type of computing or another device has
    // another fingerprint.
    const Fingerprint& fingerprint() const;
    // What makes ids of texts and texts of ids: tokenizers, prompts, special tokens.
    const Fingerprint& text_fingerprint() const;

    // Turns text into tokens that the model takes, and its tokens back into text, with the bytes that each token stands
    // for. They throw unsupported without a tokenizer, invalid_argument for invalid UTF-8 (naming the byte offset).
    text::TokenizedText tokenize(std::string_view text, text::Side side = text::Side::source) const;
    text::DetokenizedText detokenize(std::span<const std::string> tokens, text::Side side = text::Side::target) const;
    std::optional<double> score(std::string_view text) const;  // see text::Tokenizer
    // The text of tokens that follow others; the others' text is left out: " world", where alone it would be "world".
    text::DetokenizedText detokenize_behind(std::span<const std::string> before,
                                            std::span<const std::string> tokens) const;
    // The prompt for a pair of languages, either of which may be empty. Throws invalid_argument for a language that the
    // model does not have.
    std::shared_ptr<const spec::Prompt> prompt(const std::string& from, const std::string& to) const;
    // Throws invalid_argument, with the languages, where texts have to name their target and a caller named none.
    void expect_target() const;
    // The language that texts go to, named as options name it: by a code, or by its mark (">>de<<"). Null: none is named.
    const spec::Language* find_target(std::string_view wanted) const;
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
    bool continues() const;
    const text::Vocabulary& source() const;
    const text::Vocabulary& target() const;
    const std::string& bos_token() const;
    const std::string& eos_token() const;
    const std::optional<std::string>& decoder_start_token() const;
    bool add_source_bos() const;
    bool add_source_eos() const;
    bool add_text_eos() const;
    bool right_to_left() const;
    // Whether it is an encoder-only model: it gives vectors, and cannot translate.
    bool encoder_alone() const;
    const spec::EmbeddingSpec& embedding() const;
    const spec::QualityWeights& quality_weights() const;
    // Null: the model has none.
    const spec::Shortlist* shortlist() const;
    // Sequences of target ids that are never generated, as in decode::SearchRules.
    const std::vector<std::vector<uint32_t>>& never_generated() const;
    const std::shared_ptr<const std::vector<uint32_t>>& token_kinds() const;  // decode::TokenKinds

private:
    struct Parts;
    std::unique_ptr<const Parts> parts_;
};

}  // namespace dragoman::pipeline
