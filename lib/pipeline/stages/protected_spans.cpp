// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/log.h"
#include "pipeline/model/model_info.h"
#include "pipeline/model/source_pieces.h"
#include "pipeline/protect/capital_words.h"
#include "pipeline/protect/unmask.h"
#include "pipeline/protect/mask.h"
#include "pipeline/protect/notations.h"
#include "pipeline/stages/first_time.h"
#include "pipeline/stages/stages.h"
#include "text/capitals.h"
#include "text/digit_groups.h"
#include "text/edits.h"
#include "text/kept.h"
#include "text/mojibake.h"
#include "text/patterns.h"
#include "text/rows.h"
#include "text/spoken_times.h"
#include "text/token_ranges.h"
#include "text/vocabulary.h"
#include "text/words.h"

namespace dragoman::pipeline {
namespace {

// Addresses, #tags and words in letters that the model lacks are often appended to a sentence; names, versions and
// placeholders are part of it.
bool may_stand_beside(std::string_view word) {
    const bool letters = static_cast<unsigned char>(word.front()) >= 0x80;
    return letters || word.front() == '#' || word.starts_with("www.") || word.find("://") != word.npos ||
           word.find('@') != word.npos;
}

class CarriedStage final : public Stage {
public:
    explicit CarriedStage(const Plan& plan)
        : plan_(plan), room_(plan.model.max_source_tokens(plan.decoding.max_input_length)),
          has_stand_ins_(knows_stand_ins()) {}

    void down(Document& document, Sentences& next) const override {
        if (plan_.text.raw) return;
        for (Sentence& sentence : next)
            if (!sentence.finished && sentence.target_prefix.empty()) look(document, sentence);
    }

    void up(const Document& document, Sentence& sentence) const override {
        if (!sentence.model_input) return;
        std::erase_if(sentence.hypotheses, [](const Translation& hypothesis) { return hypothesis.ranges.empty(); });
        if (sentence.hypotheses.empty()) copy_with_terms(plan_, document, sentence);
        if (sentence.copied) return;
        for (Translation& hypothesis : sentence.hypotheses) {
            const auto places = unmask(*sentence.model_input, hypothesis, plan_.text.target_language);
            if (sentence.model_input->small) drop_capital(plan_.model, hypothesis.text, plan_.text.target_language);
            hypothesis.unchanged = unchanged(document, sentence, places);
            if (&hypothesis == &sentence.hypotheses.front() && moved_from_end(document, sentence, places))
                sentence.retry.ask(RetryKind::set_aside, sentence.attempt);
            std::ranges::copy_if(places, std::back_inserter(hypothesis.notes.put_in),
                                 [](text::Range place) { return place.size() > 0; });
            if (!plan_.keeps_attention()) hypothesis.attention = {};
            if (!plan_.keeps_ranges()) release_ranges(hypothesis);
        }
    }

private:
    bool knows_stand_ins() const {
        return plan_.model.info().has_tokenizer &&
               std::ranges::all_of(plan_.model.tokenize(stand_in('X', 1)).tokens, [&](const std::string& token) {
                   return plan_.model.source().find(token) &&
                          plan_.model.source().id(token) != plan_.model.source().unk_id();
               });
    }

    bool is_unknown(const std::string& token) const {
        return plan_.model.source().id(token) == plan_.model.source().unk_id();
    }

    bool has_unknown(const Sentence& sentence) const {
        return std::any_of(sentence.tokens.begin() + std::ptrdiff_t(sentence.prompt_tokens),
                           sentence.tokens.end() - std::ptrdiff_t(sentence.prompt_tokens_after),
                           [&](const std::string& token) { return is_unknown(token); });
    }

    // Whether a word at the end is not at the end of the translation: it may be part of the sentence, or not.
    bool moved_from_end(const Document& document, const Sentence& sentence, std::span<const text::Range> places) const {
        if (!allows_retry(plan_, sentence, RetryKind::set_aside) || sentence.model_input->placeholders.empty())
            return false;
        const Placeholder& last = sentence.model_input->placeholders.back();
        if (!stands_last(*sentence.model_input, last) || !kept_in(document, source_of(sentence, last)).empty())
            return false;
        if (!may_stand_beside(last.original)) return false;
        const std::string_view text = sentence.hypotheses.front().text;
        return places.back().size() > 0 && text::is_spoken(text.substr(places.back().end));
    }

    // Places in the translation of placeholders' originals and of spans that stay unchanged.
    static std::vector<Unchanged> unchanged(const Document& document, const Sentence& sentence,
                                            std::span<const text::Range> places) {
        std::vector<Unchanged> found;
        for (const text::Range& kept : kept_in(document, sentence.body)) {
            for (std::size_t i = 0; i < places.size(); ++i) {
                const text::Range own = source_of(sentence, sentence.model_input->placeholders[i]);
                if (own.begin > kept.begin || own.end < kept.end || places[i].size() != own.size()) continue;
                const std::size_t begin = places[i].begin + kept.begin - own.begin;
                found.push_back({kept, {begin, begin + kept.size()}});
                break;
            }
        }
        return found;
    }

    static text::Range source_of(const Sentence& sentence, const Placeholder& placeholder) {
        const text::Range own = sentence.model_input->normal.map.source(placeholder.normal);
        return {sentence.body.begin + own.begin, sentence.body.begin + own.end};
    }

    // A sentence without other texts' words inside it.
    static std::string own_words(std::string_view text, text::Range body, std::span<const text::Range> kept) {
        std::string own;
        for (const text::Range& each : kept) {
            own += text.substr(body.begin, each.begin - body.begin);
            body.begin = each.end;
        }
        return own += text::part(text, body);
    }

    // Whether a capital follows a letter.
    static bool has_inner_capitals(std::string_view text) {
        bool letter = false;
        for (std::size_t at = 0; at < text.size();) {
            const int32_t c = text::next_character(text, at);
            if (letter && text::is_upper(c)) return true;
            letter = text::is_letter(c);
        }
        return false;
    }

    bool lacks_capitals(const Sentence& sentence, std::string_view own) const {
        return text::is_in_small_letters(own) && !capital_words(plan_.model, own, language_of(plan_, sentence)).empty();
    }

    // Names leave the search's terms.
    void carry_terms(Sentence& sentence) const {
        sentence.carried_terms = sentence.protected_terms;
        if (!has_stand_ins_) return;
        const bool all = sentence.attempt.is(RetryKind::carry_terms);
        const auto names = std::ranges::stable_partition(sentence.terms, [&](const WantedTerm& term) {
            return !(term.name || (all && !term.stays && !term.forms.front().empty()));
        });
        std::ranges::move(names, std::back_inserter(sentence.carried_terms));
        sentence.terms.erase(names.begin(), names.end());
    }

    // Without stand-ins, names are terms as others.
    static void search_names(Sentence& sentence) {
        const auto names = sentence.carried_terms.begin() + std::ptrdiff_t(sentence.protected_terms.size());
        std::move(names, sentence.carried_terms.end(), std::back_inserter(sentence.terms));
        sentence.carried_terms = sentence.protected_terms;
    }

    static std::vector<ShownTerm> shown_terms(const Sentence& sentence) {
        std::vector<ShownTerm> shown;
        if (!sentence.attempt.is(RetryKind::show_terms)) return shown;
        for (const WantedTerm& term : sentence.terms)
            if (!term.forms.front().empty())
                shown.push_back({{term.range.begin - sentence.body.begin, term.range.end - sentence.body.begin},
                                 term.forms.front()});
        return shown;
    }

    void look(const Document& document, Sentence& sentence) const {
        carry_terms(sentence);
        const std::string_view text = document.text;
        const std::string_view body = text::part(text, sentence.body);
        const std::span<const text::Range> literals = kept_in(document, sentence.body);
        const std::string own = own_words(text, sentence.body, literals);
        if (text::is_mojibake(own)) {
            sentence.flags |= SentenceFlags::mojibake;
            if (warns_())
                log(LogLevel::warning,
                    "text {}: what begins at byte {} looks like UTF-8 that was read as another encoding; such sentences "
                    "are marked",
                    document.index, sentence.body.begin);
        }
        if (literals.empty() && !text::is_spoken(own)) return copy_sentence(plan_, document, sentence);
        if (literals.empty() && text::is_only_numbers(own)) return copy_numbers(document, sentence);
        if (literals.empty() && (text::is_date_pattern(own) || text::is_armour(own) || text::is_roman_label(own)))
            return copy_sentence(plan_, document, sentence);
        const bool unknown = has_unknown(sentence);
        const bool capitals = text::is_in_capitals(own);
        const bool recased = sentence.attempt.is(RetryKind::recase) || (!capitals && lacks_capitals(sentence, own));
        const std::vector<ShownTerm> terms = shown_terms(sentence);
        const bool small = sentence.attempt.is(RetryKind::capital);
        const bool carries = !literals.empty() || !sentence.kept.empty() || !sentence.carried_terms.empty() ||
                             !terms.empty();
        const bool usual = !capitals && !recased && has_inner_capitals(body) &&
                           !usual_forms(plan_.model, body, language_of(plan_, sentence)).empty();
        const std::string language = language_of(plan_, sentence);
        const std::size_t label = sentence.attempt.is(RetryKind::unlabel) ? text::label_end(body) : 0;
        if (!unknown && !capitals && !recased && !small && !carries && !usual && label == 0 &&
            !has_something_kept(body, language))
            return;
        if (text::is_code(own)) return copy_sentence(plan_, document, sentence);
        auto model_input = std::make_shared<ModelInput>();
        model_input->normal = text::normalize(body);
        model_input->capitals = capitals;
        model_input->recased = recased;
        model_input->small = small;
        std::vector<text::Range> kept = sentence.kept;  // of the sentence
        kept.insert(kept.end(), literals.begin(), literals.end());
        for (const WantedTerm& term : sentence.carried_terms) kept.push_back(term.range);
        std::ranges::sort(kept, {}, &text::Range::begin);
        for (text::Range& range : kept) range = {range.begin - sentence.body.begin, range.end - sentence.body.begin};
        const auto unknown_now = [&](const std::string& of) { return unknown_in(of); };
        const auto nouns = [&](std::string_view of) {
            return capital_words(plan_.model, of, language_of(plan_, sentence));
        };
        const std::function<std::vector<UsualForm>(std::string_view)> usual_now = [&](std::string_view of) {
            return usual_forms(plan_.model, of, language_of(plan_, sentence));
        };
        const Masking how{.kept = kept,
                          .terms = terms,
                          .unknown = unknown_now,
                          .nouns = nouns,
                          .usual = usual ? usual_now : std::function<std::vector<UsualForm>(std::string_view)>(),
                          .stand_ins = has_stand_ins_,
                          .beside = sentence.attempt.is(RetryKind::set_aside),
                          .label = label,
                          .language = language};
        mask(*model_input, body, how);
        if (model_input->placeholders.empty() && !capitals && !recased && !small) return;
        put_terms(sentence, *model_input);
        put_numbers(body, kept_in(document, sentence.body), sentence, *model_input);
        if (!says_enough(*model_input)) {
            copy_with_terms(plan_, document, sentence);
            return write_spoken_times(document, sentence);
        }
        SourcePieces pieces = source_pieces(plan_.model, model_input->text, {0, model_input->text.size()},
                                            *sentence.prompt);
        if (pieces.tokens.size() > room_) return search_names(sentence);
        show(text, sentence, std::move(pieces), *model_input);
        if (!std::ranges::all_of(model_input->placeholders, &Placeholder::term))
            sentence.flags |= SentenceFlags::carried;
        sentence.attends |= !model_input->placeholders.empty();
        sentence.model_input = std::move(model_input);
        want_stand_ins(sentence);
    }

    // The bytes of the document that a placeholder replaces.
    static text::Range taken(const Sentence& sentence, const ModelInput& model_input, const Placeholder& placeholder) {
        const text::Range range = model_input.normal.map.source(placeholder.normal);
        return {sentence.body.begin + range.begin, sentence.body.begin + range.end};
    }

    static bool holds(text::Range range, const WantedTerm& term) {
        return range.begin <= term.range.begin && term.range.end <= range.end;
    }

    // Terms, not their sources, are put back.
    static void put_terms(const Sentence& sentence, ModelInput& model_input) {
        for (Placeholder& placeholder : model_input.placeholders) {
            const text::Range range = taken(sentence, model_input, placeholder);
            std::vector<text::Edit> edits;
            for (const WantedTerm& term : sentence.carried_terms)
                if (holds(range, term))
                    edits.push_back({{term.range.begin - range.begin, term.range.end - range.begin},
                                     term.forms.front()});
            std::ranges::sort(edits, {}, [](const text::Edit& edit) { return edit.range.begin; });
            text::apply(edits, placeholder.original, {});
        }
    }

    // Numbers are put back as the target language writes them.
    void put_numbers(std::string_view body, std::span<const text::Range> literals, const Sentence& sentence,
                     ModelInput& model_input) const {
        const auto is_word = [](const Placeholder& placeholder) {
            return placeholder.kind == Placeholder::Kind::word || placeholder.kind == Placeholder::Kind::mark;
        };
        if (std::ranges::none_of(model_input.placeholders, is_word)) return;
        const text::NumberNotations notations = notations_of(plan_, sentence);
        if (!notations.known()) return;
        std::vector<text::Range> fixed;
        for (const text::Range& range : literals)
            fixed.push_back({range.begin - sentence.body.begin, range.end - sentence.body.begin});
        for (const WantedTerm& term : sentence.carried_terms)
            fixed.push_back({term.range.begin - sentence.body.begin, term.range.end - sentence.body.begin});
        const std::vector<text::Number> numbers = text::numbers(body, notations.source, fixed);
        for (Placeholder& placeholder : model_input.placeholders) {
            if (!is_word(placeholder)) continue;
            const text::Range own = model_input.normal.map.source(placeholder.normal);
            if (placeholder.original != text::part(body, own)) continue;  // a term
            std::vector<text::Edit> edits;
            for (const text::Number& number : numbers) {
                const bool time = number.kind == text::Number::Kind::time;
                const text::Range range = time ? text::Range{number.figures.begin, number.range.end} : number.figures;
                if (range.begin >= own.begin && range.end <= own.end)
                    edits.push_back({{range.begin - own.begin, range.end - own.begin},
                                     text::written(body, number, notations.target)});
            }
            text::apply(edits, placeholder.original, {});
        }
    }

    // In a copied sentence, "halb drei" is 2:30.
    void write_spoken_times(const Document& document, Sentence& sentence) const {
        const text::NumberNotations notations = notations_of(plan_, sentence);
        if (!sentence.terms.empty() || !sentence.carried_terms.empty() ||
            !text::knows_spoken_times(notations.target.language))
            return;
        const std::string_view body = text::part(document.text, sentence.body);
        std::vector<text::Edit> edits;
        for (const text::Number& number : text::numbers(body, notations.source))
            if (number.spoken) edits.push_back({number.range, text::written(body, number, notations.target)});
        Translation& copy = sentence.hypotheses.front();
        text::apply(edits, copy.text, copy.ranges);
    }

    // A sentence of numbers alone needs no model.
    void copy_numbers(const Document& document, Sentence& sentence) const {
        copy_sentence(plan_, document, sentence);
        const std::string_view body = text::part(document.text, sentence.body);
        const text::NumberNotations notations = notations_of(plan_, sentence);
        std::vector<text::Edit> edits;
        for (const text::Number& number : text::numbers(body, notations.source))
            edits.push_back({number.figures, text::written(body, number, notations.target)});
        if (notations.known()) text::apply(edits, sentence.hypotheses.front().text, sentence.hypotheses.front().ranges);
    }

    // The search ensures that stand-ins for words are in the translation. Terms among them are there in any case: the
    // ones that the search did not produce are put where attention places them.
    void want_stand_ins(Sentence& sentence) const {
        for (const Placeholder& placeholder : sentence.model_input->placeholders) {
            const text::Range range = taken(sentence, *sentence.model_input, placeholder);
            const auto term = std::ranges::find_if(sentence.carried_terms,
                                                   [&](const WantedTerm& each) { return holds(range, each); });
            const bool known = term != sentence.carried_terms.end();
            if (!known && (!plan_.text.keep_spans || placeholder.kind != Placeholder::Kind::word)) continue;
            std::erase_if(sentence.terms, [&](const WantedTerm& each) {
                return each.range.begin < range.end && range.begin < each.range.end;
            });
            sentence.terms.push_back({.range = range,
                                      .forms = {placeholder.text},
                                      .whole = true,
                                      .stays = true,
                                      .origin = known ? term->origin : std::nullopt});
        }
    }

    // Bytes of a normalised text that have no known token.
    std::vector<text::Range> unknown_in(const std::string& normal) const {
        const text::TokenizedText pieces = plan_.model.tokenize(normal);
        std::vector<text::Range> unknown;
        for (std::size_t i = 0; i < pieces.tokens.size(); ++i)
            if (is_unknown(pieces.tokens[i]) && pieces.ranges[i].size() > 0) unknown.push_back(pieces.ranges[i]);
        return unknown;
    }

    // Whether enough letters remain besides the protected ones, compared with words that the model cannot read.
    static bool says_enough(const ModelInput& model_input) {
        constexpr std::size_t kMaxUnread = 4;  // for each letter
        std::size_t at = 0, letters = 0, unread = 0;
        const auto read_to = [&](std::size_t end) {
            while (at < end) letters += text::is_letter(text::next_character(model_input.text, at));
        };
        for (const Placeholder& placeholder : model_input.placeholders) {
            if (placeholder.kind != Placeholder::Kind::word && placeholder.kind != Placeholder::Kind::mark) continue;
            read_to(placeholder.in_input.begin);
            at = std::max(at, placeholder.in_input.end);
            for (std::size_t next = 0; next < placeholder.original.size();) {
                const int32_t c = text::next_character(placeholder.original, next);
                unread += c >= 0x80 && text::is_letter(c);
            }
        }
        read_to(model_input.text.size());
        return letters > 0 && unread <= kMaxUnread * letters;
    }

    // Sets the tokens of the model's input, with the bytes of the document that they stand for.
    static void show(std::string_view text, Sentence& sentence, SourcePieces pieces, ModelInput& model_input) {
        model_input.ranges = pieces.ranges;
        const auto own =
            std::span(pieces.ranges).subspan(pieces.before, pieces.ranges.size() - pieces.before - pieces.after);
        text::to_source(model_input.map, model_input.normal.text, own);
        text::to_source(model_input.normal.map, text::part(text, sentence.body), own);
        const std::size_t begin = sentence.body.begin;
        for (text::Range& range : own) range = {range.begin + begin, range.end + begin};
        for (std::size_t i = 0; i < pieces.before; ++i) pieces.ranges[i] = sentence.ranges[i];
        for (std::size_t i = 0; i < pieces.after; ++i)
            pieces.ranges[pieces.ranges.size() - 1 - i] = sentence.ranges[sentence.ranges.size() - 1 - i];
        sentence.tokens = std::move(pieces.tokens);
        sentence.ranges = std::move(pieces.ranges);
        sentence.prompt_tokens = pieces.before;
        sentence.prompt_tokens_after = pieces.after;
    }

    const Plan& plan_;
    const uint32_t room_;
    const bool has_stand_ins_;
    const FirstTime warns_;  // of mojibake, in this run
};

}  // namespace

std::unique_ptr<const Stage> protected_spans_stage(const Plan& plan) { return std::make_unique<CarriedStage>(plan); }

}  // namespace dragoman::pipeline
