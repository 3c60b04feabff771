// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include "pipeline/stages/stages.h"

namespace dragoman::pipeline {
namespace {

class CopiesStage final : public Stage {
public:
    explicit CopiesStage(const Plan& plan) : plan_(plan) {}

    void down(Document& document, Sentences& next) const override {
        for (Sentence& sentence : next)
            if (sentence.target_prefix.empty() && !says_something(sentence)) copy(document.text, sentence);
    }

private:
    bool says_something(const Sentence& sentence) const {
        static const std::string kWordBegin = "\xe2\x96\x81";  // which means nothing alone
        return std::ranges::any_of(std::span(sentence.tokens).subspan(sentence.prompt_tokens), [&](const auto& token) {
            return token != kWordBegin && plan_.model.says_something(token);
        });
    }

    // Its tokens are those of the source, without the prompt's.
    void copy(std::string_view text, Sentence& sentence) const {
        Hypothesis copy{.text = std::string(text::part(text, sentence.body))};
        if (plan_.text.return_tokens) {
            copy.tokens.assign(sentence.tokens.begin() + std::ptrdiff_t(sentence.prompt_tokens), sentence.tokens.end());
            copy.ranges.assign(sentence.ranges.begin() + std::ptrdiff_t(sentence.prompt_tokens), sentence.ranges.end());
            for (text::Range& range : copy.ranges)
                range = {range.begin - sentence.body.begin, range.end - sentence.body.begin};
        }
        sentence.hypotheses = {std::move(copy)};
        sentence.copied = sentence.finished = true;
    }

    const Plan& plan_;
};

}  // namespace

std::unique_ptr<const Stage> copies_stage(const Plan& plan) { return std::make_unique<CopiesStage>(plan); }

}  // namespace dragoman::pipeline
