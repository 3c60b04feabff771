// SPDX-License-Identifier: Apache-2.0
#include "pipeline/protect/capital_words.h"

#include <algorithm>
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

// The letters of a word of five and more that is written in capitals, or with some by mistake: "HEllo", "gOOD", "HellO";
// not "YouTube" or "OpenSSL". 0: it is none.
std::size_t unusual_letters(std::string_view word) {
    constexpr std::size_t kFewest = 5;
    std::string cases;  // of the letters
    for (std::size_t at = 0; at < word.size();) {
        const int32_t c = text::next_character(word, at);
        if (!text::is_letter(c)) return 0;
        cases += text::is_upper(c) ? 'C' : 's';
    }
    if (cases.size() < kFewest) return 0;
    const std::size_t all = cases.size();
    const bool unusual = cases == std::string(all, 'C') || cases == "CC" + std::string(all - 2, 's') ||
                         cases == "s" + std::string(all - 1, 'C') || cases == "C" + std::string(all - 2, 's') + "C";
    return unusual ? all : 0;
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
    constexpr double kFarMore = 4.0, kOfWords = -3.3;  // for each letter
    const bool nouns = text::language_rules(language).capital_nouns;
    std::vector<UsualForm> found;
    for (const text::Range& range : text::words(text)) {
        const std::string_view word = text::part(text, range);
        const std::size_t letters = unusual_letters(word);
        if (letters == 0) continue;
        std::size_t rest = 0;
        const int32_t first = text::next_character(word, rest);
        const std::string small = text::small_letters(word, language);
        const std::string capital = text::capital_letter(first, language) +
                                    text::small_letters(word.substr(rest), language);
        const auto own = model.score(word), as_small = model.score(small), as_capital = model.score(capital);
        if (!own || !as_small || !as_capital) return {};
        if (std::max(*as_small, *as_capital) < *own + kFarMore) continue;
        const bool noun = nouns && *as_capital > *as_small + kNoLess;
        // Abbreviations (UNESCO) are likelier in small letters, too, but no likely words; they have no accents.
        const bool plain = std::ranges::none_of(word, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
        if (plain && std::max(*as_small, *as_capital) < kOfWords * double(letters)) continue;
        const std::string& usual = noun ? capital : small;
        found.push_back({range, range.begin == 0 ? capital : usual});
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
