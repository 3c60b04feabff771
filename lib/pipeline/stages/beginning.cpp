// SPDX-License-Identifier: Apache-2.0
#include "pipeline/stages/stages.h"
#include "text/token_ranges.h"

namespace dragoman::pipeline {
namespace {

class BeginningStage final : public Stage {
public:
    explicit BeginningStage(const Plan& plan) : plan_(plan) {}

    void down(Document& document, Sentences& next) const override {
        for (Sentence& sentence : next) {
            text::TokenizedText pieces = plan_.model.tokenize(text::part(document.text, sentence.range));
            sentence.prompt = plan_.prompt;
            sentence.tokens = std::move(pieces.tokens);
            sentence.ranges = std::move(pieces.ranges);
        }
    }

    void up(const Document&, Sentence& sentence) const override { detokenize(plan_, sentence); }

private:
    const Plan& plan_;
};

}  // namespace

std::unique_ptr<const Stage> beginning_stage(const Plan& plan) { return std::make_unique<BeginningStage>(plan); }

}  // namespace dragoman::pipeline
