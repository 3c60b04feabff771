// SPDX-License-Identifier: Apache-2.0
#include "pipeline/stages/stages.h"
#include "spec/prompt.h"
#include "text/characters.h"

namespace dragoman::pipeline {
namespace {

class PromptStage final : public Stage {
public:
    explicit PromptStage(const Plan& plan) : plan_(plan) {}

    void open(Document& document) const override {
        document.prompt = plan_.prompt;
        document.target_language = plan_.matched_target;
    }

    void down(Document& document, Sentences& next) const override {
        for (Sentence& sentence : next) {
            const std::string_view text = text::part(document.text, sentence.range);
            if (const auto own = plan_.model.leading_language(text)) {
                document.prompt = plan_.model.prompt(plan_.source_language(), own->language->code);  // from here on
                document.target_language = own->language->tag;
                sentence.prompt.reset();
                sentence.body = text::trim(document.text, {sentence.range.begin + own->bytes, sentence.range.end});
            }
            const bool told = document.prompt != plan_.prompt;  // by this sentence or one before it
            if (!told && plan_.text.target_language.empty()) plan_.model.expect_target();
            if (!sentence.prompt || told) sentence.prompt = document.prompt;
            sentence.target_language = document.target_language;
        }
    }

private:
    const Plan& plan_;
};

}  // namespace

std::unique_ptr<const Stage> prompt_stage(const Plan& plan) { return std::make_unique<PromptStage>(plan); }

}  // namespace dragoman::pipeline
