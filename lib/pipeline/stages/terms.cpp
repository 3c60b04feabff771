// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "pipeline/stages/stages.h"
#include "text/glossary.h"

namespace dragoman::pipeline {
namespace {

class TermsStage final : public Stage {
public:
    explicit TermsStage(const Plan& plan) : plan_(plan), glossary_(*plan.text.glossary) {}

    void down(Document& document, Sentences& next) const override {
        for (Sentence& sentence : next) {
            if (sentence.finished) continue;
            const auto kept = kept_in(document, sentence.body);
            for (WantedTerm& term : plan_.finds_terms ? found(document, sentence) : brought(document, sentence)) {
                const bool stays = std::ranges::any_of(kept, [&](const text::Range& other) {
                    return other.begin < term.range.end && term.range.begin < other.end;
                });
                const bool inside = std::ranges::any_of(sentence.terms, [&](const WantedTerm& other) {
                    return other.range.begin < term.range.end && term.range.begin < other.range.end;
                });
                if (stays) continue;
                if (!plan_.gives_terms) sentence.passed_terms.push_back(std::move(term));
                else if (!inside) sentence.terms.push_back(std::move(term));
            }
        }
    }

private:
    std::vector<WantedTerm> found(const Document& document, const Sentence& sentence) const {
        std::vector<WantedTerm> terms;
        for (text::GlossaryMatch& match : glossary_.find(text::part(document.text, sentence.body)))
            terms.push_back({.range = {sentence.body.begin + match.range.begin, sentence.body.begin + match.range.end},
                             .forms = std::move(match.targets),
                             .whole = true});
        return terms;
    }

    static std::vector<WantedTerm> brought(const Document& document, const Sentence& sentence) {
        std::vector<WantedTerm> terms;
        for (const WantedTerm& term : document.terms) {
            if (term.range.begin < sentence.body.begin || term.range.begin >= sentence.body.end) continue;
            terms.push_back(term);
            terms.back().range.end = std::min(term.range.end, sentence.body.end);
        }
        return terms;
    }

    const Plan& plan_;
    const text::Glossary& glossary_;
};

}  // namespace

std::unique_ptr<const Stage> terms_stage(const Plan& plan) { return std::make_unique<TermsStage>(plan); }

}  // namespace dragoman::pipeline
