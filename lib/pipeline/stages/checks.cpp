// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "pipeline/stages/stages.h"
#include "text/capitals.h"
#include "text/edits.h"
#include "text/numbers.h"
#include "text/raving.h"
#include "text/vocabulary.h"

namespace dragoman::pipeline {
namespace {

constexpr uint32_t kMostAttempts = 3;  // of a sentence, each with parts of half the length

class ChecksStage final : public Stage {
public:
    explicit ChecksStage(const Plan& plan)
        : plan_(plan), repeats_(!plan.rules.sampling && !plan.decoding.return_alternatives) {}

    void up(const Document& document, Sentence& sentence) const override {
        if (plan_.text.raw || sentence.hypotheses.empty()) return;
        note_lacking_terms(sentence);
        if (raves(sentence)) return begin_again(document, sentence);
        if (!sentence.carried_terms.empty() && may_repeat(sentence)) sentence.again = Again::carried;
        check_numbers(document, sentence);
        if (sentence.again == Again::no && may_repeat(sentence) &&
            text::is_in_title_case(text::part(document.text, sentence.body)))
            sentence.again = Again::recased;
    }

private:
    bool raves(const Sentence& sentence) const {
        if (!sentence.output || sentence.output->hypotheses.empty()) return false;
        std::span<const uint32_t> target = sentence.output->hypotheses.front().tokens;
        target = target.subspan(std::min(sentence.fed, target.size()));
        return text::raves(plan_.model.source().ids(sentence.tokens), target, sentence.likelihood);
    }

    bool may_repeat(const Sentence& sentence) const {
        return repeats_ && sentence.attempt == 0 && sentence.target_prefix.empty();
    }

    // Terms whose letters the vocabulary lacks, those beyond what a search takes, and those beyond its length limit.
    static void note_lacking_terms(Sentence& sentence) {
        if (sentence.attempt > 0 || !sentence.output) return;
        for (const WantedTerm& term : sentence.terms)
            if (!std::ranges::all_of(sentence.output->hypotheses,
                                     [&](const decode::Hypothesis& found) { return has_term(found, term); }))
                sentence.carried_terms.push_back(term);
    }

    // In parts, and those in parts again where that does not help; what is short is copied.
    void begin_again(const Document& document, Sentence& sentence) const {
        sentence.flags |= SentenceFlags::repeated;
        if (!repeats_ || !sentence.target_prefix.empty()) return;
        const std::size_t own = sentence.tokens.size() - sentence.prompt_tokens - sentence.prompt_tokens_after;
        if (sentence.attempt < kMostAttempts && own > kShortestPart) sentence.again = Again::parts;
        else copy_with_terms(plan_, document, sentence);
    }

    void check_numbers(const Document& document, Sentence& sentence) const {
        const std::string_view source = text::part(document.text, sentence.body);
        if (std::ranges::none_of(source, [](char c) { return c >= '0' && c <= '9'; })) return;
        for (Hypothesis& hypothesis : sentence.hypotheses) replace_one(source, hypothesis);
        const auto left = text::compare_numbers(source, sentence.hypotheses.front().text);
        if (left.missing.empty()) return;
        sentence.flags |= SentenceFlags::numbers;
        if (!may_repeat(sentence)) return;
        sentence.again = Again::carried;
        for (const text::Number& number : left.missing)
            sentence.kept.push_back({number.range.begin + sentence.body.begin, number.range.end + sentence.body.begin});
    }

    // Another number in place of the only one that is missing.
    static void replace_one(std::string_view source, Hypothesis& hypothesis) {
        const auto found = text::compare_numbers(source, hypothesis.text);
        if (found.missing.size() != 1 || found.extra.size() != 1) return;
        const text::Edit edit{found.extra.front().figures,
                              std::string(text::part(source, found.missing.front().figures))};
        text::apply({&edit, 1}, hypothesis.text, hypothesis.ranges);
        for (text::Range& range : hypothesis.put_in) {
            if (range.begin < edit.range.end) continue;
            const std::size_t begin = range.begin - edit.range.size() + edit.text.size();
            range = {begin, begin + range.size()};
        }
    }

    const Plan& plan_;
    const bool repeats_;
};

}  // namespace

std::unique_ptr<const Stage> checks_stage(const Plan& plan) { return std::make_unique<ChecksStage>(plan); }

}  // namespace dragoman::pipeline
