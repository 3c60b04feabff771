// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "pipeline/stages/stages.h"

namespace dragoman::pipeline {
namespace {

class TermsStage final : public Stage {
public:
    explicit TermsStage(const Plan& plan) : glossary_(*plan.text.glossary) {}

    void down(Document& document, Sentences& next) const override {
        for (Sentence& sentence : next) {
            if (sentence.finished) continue;
            for (text::GlossaryMatch& match : glossary_.find(text::part(document.text, sentence.body))) {
                const text::Range range{sentence.body.begin + match.range.begin, sentence.body.begin + match.range.end};
                const auto kept = kept_in(document, sentence.body);
                const bool stays = std::ranges::any_of(kept, [&](const text::Range& other) {
                    return other.begin < range.end && range.begin < other.end;
                });
                const bool inside = std::ranges::any_of(sentence.terms, [&](const WantedTerm& other) {
                    return other.range.begin < range.end && range.begin < other.range.end;
                });
                if (stays || inside) continue;
                sentence.terms.push_back({.range = range, .forms = std::move(match.targets), .whole = true});
            }
        }
    }

private:
    const text::Glossary& glossary_;
};

}  // namespace

std::unique_ptr<const Stage> terms_stage(const Plan& plan) { return std::make_unique<TermsStage>(plan); }

}  // namespace dragoman::pipeline
