// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "engine/model.h"
#include "spec/model_spec.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"
#include "translate/translator.h"

namespace dragoman::translate {

// What translators of a model share.
class LoadedModel final : public Model {
public:
    LoadedModel(const spec::ModelSpec& spec, const ModelOptions& options);

    const ModelInfo& info() const override { return info_; }
    vulkan::Context& context() const override { return network_->device().context(); }
    Tokens tokenize(std::string_view text, text::Side side) const override;
    std::string detokenize(std::span<const std::string> tokens, text::Side side) const override;
    const Tokens& language_codes() const override { return language_codes_; }
    std::string_view language_code(std::string_view language) const override;
    bool says_something(std::string_view token) const override;
    uint32_t max_source_tokens(uint32_t max_input_length) const override;

    const std::shared_ptr<const engine::Model>& network() const { return network_; }
    const text::Vocabulary& source() const { return source_; }
    const text::Vocabulary& target() const { return target_; }
    const std::string& bos_token() const { return bos_token_; }
    const std::string& eos_token() const { return eos_token_; }
    const std::optional<std::string>& decoder_start_token() const { return decoder_start_token_; }
    bool add_source_bos() const { return add_source_bos_; }
    bool add_source_eos() const { return add_source_eos_; }
    bool right_to_left() const { return right_to_left_; }
    const spec::SearchDefaults& search() const override { return search_; }
    // Null: the model brings none.
    const spec::Shortlist* shortlist() const { return shortlist_ ? &*shortlist_ : nullptr; }
    // Sequences of target ids that must not come out, as in decode::SearchRules.
    const std::vector<std::vector<uint32_t>>& never_generated() const { return never_generated_; }

private:
    const text::Tokenizer& tokenizer() const;
    std::shared_ptr<const engine::Model> network_;
    text::Vocabulary source_, target_;
    Tokens language_codes_;
    std::unique_ptr<const text::Tokenizer> tokenizer_;
    std::string bos_token_, eos_token_;
    std::optional<std::string> decoder_start_token_;
    bool add_source_bos_, add_source_eos_, add_text_eos_, right_to_left_;
    spec::Prompts prompts_;
    spec::SearchDefaults search_;
    std::optional<spec::Shortlist> shortlist_;
    std::vector<std::vector<uint32_t>> never_generated_;
    ModelInfo info_;
};

}  // namespace dragoman::translate
