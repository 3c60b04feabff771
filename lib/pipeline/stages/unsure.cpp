// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "pipeline/stages/stages.h"

namespace dragoman::pipeline {
namespace {

// Whether the source itself is what the term must become.
bool keeps(const Sentence& sentence, text::Range range, std::string_view source) {
    const auto is_met = [&](const WantedTerm& term) {
        return term.range == range && (term.stays || std::ranges::find(term.forms, source) != term.forms.end());
    };
    return std::ranges::any_of(sentence.terms, is_met) || std::ranges::any_of(sentence.passed_terms, is_met) ||
           std::ranges::any_of(sentence.protected_terms, is_met);
}

}  // namespace

void copy_if_unsure(const Plan& plan, const Document& document, Sentence& sentence) {
    if (!plan.judges() || plan.text.min_quality == 0.0f || sentence.hypotheses.empty()) return;
    Hypothesis refused = std::move(sentence.hypotheses.front());
    if (refused.quality.score >= plan.text.min_quality) {
        sentence.hypotheses.front() = std::move(refused);
        return;
    }
    copy_sentence(plan, document, sentence);
    Hypothesis& copy = sentence.hypotheses.front();
    copy.quality = quality_of_copy(copy.text, refused.quality.score);
    copy.terms = std::move(refused.terms);
    for (TermUse& term : copy.terms) term.met = keeps(sentence, term.source, text::part(document.text, term.source));
    if (refused.tokens.empty()) copy.tokens = {}, copy.ranges = {};  // nobody asked for them
    // What was said of the refused translation.
    sentence.flags &= ~(SentenceFlags::numbers | SentenceFlags::carried | SentenceFlags::uncovered);
    sentence.flags |= SentenceFlags::unsure;
}

}  // namespace dragoman::pipeline
