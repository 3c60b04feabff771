// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ranges>

#include "pipeline/stages/stages.h"
#include "text/capitals.h"
#include "text/glossary.h"
#include "text/kept.h"
#include "text/words.h"

namespace dragoman::pipeline {
namespace {

class TermsStage final : public Stage {
public:
    explicit TermsStage(const Plan& plan) : plan_(plan), glossary_(*plan.text.glossary) {}

    void down(Document& document, Sentences& next) const override {
        for (Sentence& sentence : next) {
            if (sentence.finished) continue;
            std::vector<WantedTerm> terms = plan_.finds_terms ? found(document, sentence) : brought(document, sentence);
            if (terms.empty()) continue;
            const std::vector<text::Range> unchanged = plan_.text.raw ? std::vector<text::Range>()
                                                                      : words_kept(document, sentence);
            for (WantedTerm& term : terms) {
                const bool stays = meets(kept_in(document, sentence.body), term.range) ||
                                   std::ranges::any_of(unchanged, [&](const text::Range& other) {
                                       return other.begin <= term.range.begin && term.range.end <= other.end &&
                                              other != term.range;
                                   });
                if (stays) continue;
                if (!plan_.gives_terms) {
                    sentence.passed_terms.push_back(std::move(term));
                    continue;
                }
                if (meets(sentence.protected_terms | std::views::transform(&WantedTerm::range), term.range)) continue;
                find_name(text::part(document.text, term.range), term);
                if (begins(document.text, sentence.body, term.range)) add_capital(term);
                sentence.terms.push_back(std::move(term));
            }
        }
    }

private:
    static bool meets(auto&& ranges, text::Range range) {
        return std::ranges::any_of(ranges, [&](const text::Range& other) { return text::overlap(other, range) > 0; });
    }

    // Bytes of the document: addresses, paths and the like.
    static std::vector<text::Range> words_kept(const Document& document, const Sentence& sentence) {
        std::vector<text::Range> found;
        for (const text::Kept& kept : text::find_kept(text::part(document.text, sentence.body)))
            if (kept.as == text::Kept::As::word)
                found.push_back({sentence.body.begin + kept.range.begin, sentence.body.begin + kept.range.end});
        return found;
    }

    // Whether a term that is written with a capital is the first of several words.
    static bool begins(std::string_view text, text::Range body, text::Range term) {
        std::size_t at = term.begin;
        return text::is_upper(text::next_character(text, at)) &&
               !text::is_spoken(text.substr(body.begin, term.begin - body.begin)) &&
               text::is_spoken(text.substr(term.end, body.end - term.end));
    }

    // German nouns have a capital everywhere, their translations at the beginning.
    static void add_capital(WantedTerm& term) {
        const std::string& first = term.forms.front();
        std::size_t rest = 0;
        const int32_t c = text::next_character(first, rest);
        if (!text::is_lower(c) || text::small_letters(first, {}) != first) return;  // "iPhone"
        std::string capital = text::capital_letter(c, {}) + first.substr(rest);
        std::erase(term.forms, capital);
        term.forms.insert(term.forms.begin(), std::move(capital));
    }

    // A name keeps the source's capitals where the glossary has none.
    static void find_name(std::string_view source, WantedTerm& term) {
        if (source.find(' ') == std::string_view::npos) return;
        const std::string small = text::small_letters(source, {});
        const auto same = std::ranges::find_if(term.forms, [&](const std::string& form) {
            return text::small_letters(form, {}) == small;
        });
        term.name = same != term.forms.end();
        if (!term.name) return;
        if (*same == small) *same = source;
        std::rotate(term.forms.begin(), same, same + 1);
    }

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
