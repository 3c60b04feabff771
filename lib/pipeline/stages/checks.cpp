// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "pipeline/model/model_info.h"
#include "pipeline/protect/capital_words.h"
#include "pipeline/protect/notations.h"
#include "pipeline/stages/stages.h"
#include "text/bracket_pairs.h"
#include "text/capitals.h"
#include "text/compare_numbers.h"
#include "text/degenerate_repetition.h"
#include "text/edits.h"
#include "text/foreign_names.h"
#include "text/hour_rest.h"
#include "text/last_stop.h"
#include "text/lists.h"
#include "text/lost_marks.h"
#include "text/no_break_blanks.h"
#include "text/roman_numerals.h"
#include "text/rows.h"
#include "text/scale_names.h"
#include "text/spoken_times.h"
#include "text/vocabulary.h"

namespace dragoman::pipeline {
namespace {

class ChecksStage final : public Stage {
public:
    explicit ChecksStage(const Plan& plan) : plan_(plan) {}

    void up(const Document& document, Sentence& sentence) const override {
        if (plan_.text.raw || sentence.hypotheses.empty()) return;
        if (loses_items(document, sentence) && ask(sentence, RetryKind::items)) return;
        note_lacking_terms(sentence);
        const bool has_terms = !std::ranges::all_of(sentence.terms, &WantedTerm::stays);
        if (is_degenerate(sentence)) {
            if (has_terms && ask(sentence, RetryKind::carry_terms)) return;
            return split_or_copy(document, sentence);
        }
        if (!sentence.protected_terms.empty()) ask(sentence, RetryKind::protect);
        mend_marks(document, sentence);
        check_numbers(document, sentence);
        for (Translation& hypothesis : sentence.hypotheses)
            edit(hypothesis, text::no_break_blanks(text::part(document.text, sentence.body), hypothesis.text));
        check_names(document, sentence);
        if (is_unsure_of_terms(sentence)) ask(sentence, RetryKind::show_terms);
        carry_unsure_terms(sentence);
        const std::string_view body = text::part(document.text, sentence.body);
        if (text::is_in_title_case(body)) ask(sentence, RetryKind::recase);
        if (takes_label_for_ordinal(document, sentence)) ask(sentence, RetryKind::unlabel);
        if (!sentence.model_input && may_want_capital(plan_.model, body)) ask(sentence, RetryKind::capital);
    }

private:
    bool is_degenerate(const Sentence& sentence) const {
        if (!sentence.output || sentence.output->hypotheses.empty()) return false;
        std::span<const uint32_t> target = sentence.output->hypotheses.front().tokens;
        target = target.subspan(std::min(sentence.fed, target.size()));
        return text::is_degenerate(plan_.model.source().ids(sentence.tokens), target, sentence.likelihood);
    }

    // "London, Paris" that has become London.
    static bool loses_items(const Document& document, const Sentence& sentence) {
        return sentence.hypotheses.size() == 1 && sentence.terms.empty() &&
               text::loses_items(document.text, sentence.body, sentence.hypotheses.front().text);
    }

    // Terms that the model does not expect make its translation unlikely; often its own word, or a part of it, is there
    // as well.
    static bool is_unsure_of_terms(const Sentence& sentence) {
        constexpr float kSure = -0.6f;
        return sentence.likelihood < kSure && !std::ranges::all_of(sentence.terms, &WantedTerm::stays);
    }

    // What protects numbers protects terms as well, if the model was very unsure with them.
    static void carry_unsure_terms(Sentence& sentence) {
        if (!sentence.retry.asked() || sentence.retry.kind() != RetryKind::protect) return;
        if (sentence.likelihood >= kVeryUnsureOfTerms || !sentence.protected_terms.empty()) return;
        std::ranges::copy_if(sentence.terms, std::back_inserter(sentence.protected_terms),
                             [](const WantedTerm& term) { return !term.stays && !term.forms.front().empty(); });
    }

    // "1. Erster Punkt" at the beginning of a line is no "1st first point"; "3. Tag der Reise" is a third one. Roman numerals
    // lose their stop, or their value; figures may lose their stop, too.
    bool takes_label_for_ordinal(const Document& document, const Sentence& sentence) const {
        const std::size_t begin = sentence.body.begin;
        const std::string_view body = text::part(document.text, sentence.body);
        const std::size_t label = text::label_end(body);
        if (label == 0) return false;
        const bool first = begin == 0 || document.text[begin - 1] == '\n' ||
                           std::ranges::binary_search(document.parts, begin, {}, &text::Range::begin);
        if (!first) return false;
        const std::string_view translation = sentence.hypotheses.front().text;
        const bool roman = body.front() < '0' || body.front() > '9';
        const bool lost = text::begins_with_ordinal(translation) || text::loses_stop_of_label(body, translation);
        if (roman ? translation.starts_with(body.substr(0, label)) : !lost) return false;
        const std::string language = language_of(plan_, sentence);
        const auto nouns = capital_words(plan_.model, text::small_letters(body.substr(label), language), language);
        return nouns.empty() || nouns.front().begin > 0 ||
               !text::is_counted_noun(text::part(body.substr(label), nouns.front()));
    }

    // False: the sentence has had its retry.
    bool ask(Sentence& sentence, RetryKind kind) const {
        if (!allows_retry(plan_, sentence, kind)) return false;
        sentence.retry.ask(kind, sentence.attempt);
        return true;
    }

    // Notes terms whose letters the vocabulary lacks, terms beyond a search's number, and terms beyond its length
    // limit.
    static void note_lacking_terms(Sentence& sentence) {
        if (sentence.attempt.number > 0 || !sentence.output) return;
        for (const WantedTerm& term : sentence.terms)
            if (!std::ranges::all_of(sentence.output->hypotheses,
                                     [&](const decode::Hypothesis& found) { return has_term(found, term); }))
                sentence.protected_terms.push_back(term);
    }

    // Parts are split further where that does not help; short ones are copied.
    void split_or_copy(const Document& document, Sentence& sentence) const {
        sentence.flags |= SentenceFlags::repeated;
        if (!allows_retries(plan_, sentence)) return;
        const std::size_t own = sentence.tokens.size() - sentence.prompt_tokens - sentence.prompt_tokens_after;
        if (own > kShortestPart && ask(sentence, RetryKind::split)) return;
        copy_with_terms(plan_, document, sentence);
    }

    static void mend_marks(const Document& document, Sentence& sentence) {
        const std::string_view source = text::part(document.text, sentence.body);
        for (Translation& hypothesis : sentence.hypotheses) {
            edit(hypothesis, text::lost_marks(source, hypothesis.text));
            edit(hypothesis, text::bracket_pairs(source, hypothesis.text));
        }
    }

    void check_numbers(const Document& document, Sentence& sentence) const {
        const std::string_view source = text::part(document.text, sentence.body);
        const text::NumberNotations notations = notations_of(plan_, sentence);
        for (Translation& hypothesis : sentence.hypotheses)
            edit(hypothesis,
                 text::scale_names(source, hypothesis.text, notations.source.language, notations.target.language));
        if (!may_have_numbers(source, notations.source.language)) return;
        const std::vector<text::Range> fixed = fixed_in(document, sentence);
        const std::size_t forced = allows_retry(plan_, sentence, RetryKind::protect) ? 1 : SIZE_MAX;
        const auto compare = [&](const Translation& hypothesis) {
            return text::compare_numbers(source, hypothesis.text, notations, fixed, hypothesis.notes.put_in, forced);
        };
        for (Translation& hypothesis : sentence.hypotheses) {
            edit(hypothesis, text::hour_rests(source, hypothesis.text));
            std::vector<text::Edit> edits = compare(hypothesis).edits;
            if (sentence.model_input && sentence.model_input->capitals)
                for (text::Edit& each : edits) text::to_capitals(each.text, {}, plan_.text.target_language);
            edit(hypothesis, edits);
            if (notations.known()) edit(hypothesis, text::last_stop(source, hypothesis.text));
        }
        const text::NumberChanges left = compare(sentence.hypotheses.front());
        if (left.at_fault.empty()) return;
        sentence.flags |= SentenceFlags::numbers;
        if (!ask(sentence, RetryKind::protect)) return;
        for (const text::Range& range : left.at_fault)
            sentence.kept.push_back({range.begin + sentence.body.begin, range.end + sentence.body.begin});
    }

    static bool may_have_numbers(std::string_view source, std::string_view language) {
        return std::ranges::any_of(source, [](char c) { return c >= '0' && c <= '9'; }) ||
               !text::spoken_times(source, language).empty() || !text::roman_numerals(source).empty();
    }

    // Names of other languages that the translation spells otherwise are kept from the model.
    void check_names(const Document& document, Sentence& sentence) const {
        if (!allows_retry(plan_, sentence, RetryKind::protect)) return;
        const std::string_view source = text::part(document.text, sentence.body);
        for (const text::Range& name : text::foreign_names(source, language_of(plan_, sentence))) {
            const text::Range place{name.begin + sentence.body.begin, name.end + sentence.body.begin};
            const bool kept = !kept_in(document, place).empty() ||
                              std::ranges::find(sentence.kept, place) != sentence.kept.end();
            if (kept || text::has_name(sentence.hypotheses.front().text, text::part(source, name))) continue;
            ask(sentence, RetryKind::protect);
            sentence.kept.push_back(place);
        }
        std::ranges::sort(sentence.kept, {}, &text::Range::begin);
    }

    // What of the sentence's own bytes is no number.
    static std::vector<text::Range> fixed_in(const Document& document, const Sentence& sentence) {
        std::vector<text::Range> fixed;
        for (const text::Range& kept : kept_in(document, sentence.body))
            fixed.push_back({kept.begin - sentence.body.begin, kept.end - sentence.body.begin});
        return fixed;
    }

    static void edit(Translation& hypothesis, std::span<const text::Edit> edits) {
        if (edits.empty()) return;
        text::apply(edits, hypothesis.text, hypothesis.ranges);
        const auto move = [&](text::Range& range) {
            std::size_t added = 0, dropped = 0;
            for (const text::Edit& edit : edits) {
                if (edit.range.end > range.begin) break;
                added += edit.text.size();
                dropped += edit.range.size();
            }
            range = {range.begin + added - dropped, range.end + added - dropped};
        };
        std::ranges::for_each(hypothesis.notes.put_in, move);
        for (Unchanged& unchanged : hypothesis.unchanged) move(unchanged.target);
    }

    const Plan& plan_;
};

}  // namespace

bool allows_retries(const Plan& plan, const Sentence& sentence) {
    return !plan.rules.sampling && !plan.decoding.return_alternatives && sentence.target_prefix.empty();
}

bool allows_retry(const Plan& plan, const Sentence& sentence, RetryKind kind) {
    return allows_retries(plan, sentence) && sentence.attempt.allows(kind);
}

std::unique_ptr<const Stage> checks_stage(const Plan& plan) { return std::make_unique<ChecksStage>(plan); }

}  // namespace dragoman::pipeline
