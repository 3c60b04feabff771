// SPDX-License-Identifier: Apache-2.0
#include "pipeline/protect/capital_words.h"

#include <utility>

#include "pipeline/model/model_info.h"
#include "spec/prompt.h"
#include "text/capitals.h"
#include "text/language_rules.h"
#include "text/words.h"

namespace dragoman::pipeline {
namespace {

// Log-probabilities of the capitalised form relative to the small one.
constexpr double kNoLess = -0.5;    // where both are as likely, it is a rare noun
constexpr double kReadable = -20.0;  // an unknown character costs more

bool likes_capital(const Model& model, std::string_view word, const std::string& language, double least) {
    const std::string small = text::small_letters(word, language);
    std::size_t second = 0;
    const int32_t first = text::next_character(small, second);
    if (!text::is_lower(first)) return false;
    const auto with = model.score(text::capital_letter(first, language) + small.substr(second));
    const auto without = model.score(small);
    return with && without && *with > *without + least;
}

bool ends_like_a_sentence(std::string_view text) {
    const std::string_view own = text::part(text, text::trim(text, {0, text.size()}));
    return !own.empty() && std::string_view(".!?").find(own.back()) != std::string_view::npos;
}

}  // namespace

std::string language_of(const Plan& plan, const Sentence& sentence) {
    if (!sentence.language.empty()) return sentence.language;
    if (!plan.finds_language() && !plan.text.source_language.empty()) return plan.text.source_language;
    const spec::Languages& languages = plan.model.info().languages;
    const spec::Language* named = languages.find_target(plan.text.target_language);
    const spec::LanguageTag to = sentence.target_language.known() || !named ? sentence.target_language : named->tag;
    if (!to.known() || languages.source.size() > 2) return {};
    for (const spec::Language& language : languages.source)
        if (language.tag.language() != to.language()) return language.code;
    return {};
}

std::vector<UsualForm> usual_forms(const Model& model, std::string_view text, const std::string& language) {
    constexpr std::size_t kFewestCapitals = 2, kFewestLetters = 4;  // shorter ones are abbreviations
    constexpr double kFarMore = 4.0;
    std::vector<UsualForm> found;
    for (const text::Range& range : text::words(text)) {
        const std::string_view word = text::part(text, range);
        std::size_t letters = 0, capitals = 0, first_end = 0;
        bool only_letters = true;
        for (std::size_t at = 0; at < word.size();) {
            const int32_t c = text::next_character(word, at);
            only_letters = only_letters && text::is_letter(c);
            if (letters++ == 0) first_end = at;
            capitals += text::is_upper(c);
        }
        if (!only_letters || letters < kFewestLetters || capitals < kFewestCapitals) continue;
        std::size_t at = 0;
        const std::string small = text::small_letters(word, language);
        const std::string with = text::capital_letter(text::next_character(word, at), language) +
                                 text::small_letters(word.substr(first_end), language);
        const auto own = model.score(word), as_small = model.score(small), as_noun = model.score(with);
        if (!own || !as_small || !as_noun) return {};
        if (std::max(*as_small, *as_noun) < *own + kFarMore) continue;
        const bool noun = range.begin == 0 ||
                          *as_noun > *as_small + (text::language_rules(language).capital_nouns ? kNoLess : 0.0);
        found.push_back({range, noun ? with : small});
    }
    return found;
}

std::vector<text::Range> capital_words(const Model& model, std::string_view text, const std::string& language) {
    if (!text::language_rules(language).capital_nouns) return {};
    std::vector<text::Range> found;
    bool begins = ends_like_a_sentence(text);
    for (const text::Range& range : text::words(text)) {
        const std::string_view word = text::part(text, range);
        if (!text::is_spoken(word)) continue;
        if (likes_capital(model, word, language, std::exchange(begins, false) ? kReadable : kNoLess))
            found.push_back(range);
    }
    return found;
}

}  // namespace dragoman::pipeline
