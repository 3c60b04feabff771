// SPDX-License-Identifier: Apache-2.0
#include "pipeline/protect/capital_words.h"

#include <algorithm>
#include <utility>

#include "pipeline/model/model_info.h"
#include "spec/prompt.h"
#include "text/capitals.h"
#include "text/function_words.h"
#include "text/language_rules.h"
#include "text/token_ranges.h"
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

// A word that is written in capitals, or with some by mistake: "HEllo", "gOOD", "HellO", "hEllo"; not "YouTube"
// or "OpenSSL".
struct Unusual {
    std::size_t letters = 0;  // 0: it is none
    bool in_capitals = false;
};

Unusual unusual_letters(std::string_view word) {
    constexpr std::size_t kFewest = 4;
    std::string cases;  // of the letters
    for (std::size_t at = 0; at < word.size();) {
        const int32_t c = text::next_character(word, at);
        if (!text::is_letter(c)) return {};
        cases += text::is_upper(c) ? 'C' : 's';
    }
    const std::size_t all = cases.size();
    const auto capitals = std::size_t(std::ranges::count(cases, 'C'));
    if (capitals == all && all > 1) return {all, true};
    if (cases == "CCs" && !word.ends_with('s')) return {all};  // "THe"; not "CDs"
    if (all < kFewest) return {};
    const bool begins = capitals > 1 && cases.starts_with(std::string(capitals, 'C'));
    const bool one = cases == "sC" + std::string(all - 2, 's') || cases == std::string(all - 1, 's') + "C";
    const bool ends = cases == "s" + std::string(all - 1, 'C') || cases == "C" + std::string(all - 2, 's') + "C";
    // "biTTe"; not "mRNAs"
    const std::size_t first = cases.find('C'), last = cases.rfind('C');
    const bool middle = capitals > 1 && first > 0 && last + 1 < all && last - first + 1 == capitals &&
                        !(last + 2 == all && word.ends_with('s'));
    return begins || one || ends || middle ? Unusual{all} : Unusual();
}

// Whether all words have capitals as those who jest write them, "ThE HoUsE iS ReD", or with the key for capitals held,
// "tHE hOUSE iS rED".
bool is_in_odd_case(std::string_view text) {
    constexpr std::size_t kFewestWords = 2, kFewestLetters = 4;
    std::size_t count = 0, longest = 0;
    bool both = true, held = true;
    for (const text::Range& range : text::words(text)) {
        std::string cases;
        for (std::size_t at = range.begin; at < range.end;)
            if (const int32_t c = text::next_character(text, at); text::is_letter(c))
                cases += text::is_upper(c) ? 'C' : 's';
        if (cases.size() < 2) continue;
        ++count;
        longest = std::max(longest, cases.size());
        for (std::size_t i = 1; i < cases.size(); ++i) both &= cases[i] != cases[i - 1];
        held &= cases == "s" + std::string(cases.size() - 1, 'C');
    }
    return count >= kFewestWords && longest >= kFewestLetters && (both || held);
}

// Short words in capitals are mostly abbreviations; "NOW" and "IN" are not.
bool is_usual_short(std::string_view small, bool likely, std::string_view language) {
    for (const std::string_view abbreviation : {"am", "it", "or", "us", "who"})
        if (small == abbreviation) return false;
    return (likely && small.size() > 2) || text::is_function_word(small, language);
}

// Abbreviations have about as many pieces as letters.
bool is_of_few_pieces(const Model& model, const std::string& word) {
    constexpr std::size_t kFewest = 5, kMost = 2;
    return word.size() >= kFewest && model.tokenize(word).tokens.size() <= kMost;
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
    const spec::Language* named = plan.model.find_target(plan.text.target_language);
    const spec::LanguageTag to = sentence.target_language.known() || !named ? sentence.target_language : named->tag;
    if (!to.known() || languages.source.size() > 2) return {};
    for (const spec::Language& language : languages.source)
        if (language.tag.language() != to.language()) return language.code;
    return {};
}

std::vector<UsualForm> usual_forms(const Model& model, std::string_view text, const std::string& language) {
    constexpr double kFarMore = 3.0;
    constexpr double kOfWords = -3.3, kOfShortWords = -3.0;  // for each letter
    const bool nouns = text::language_rules(language).capital_nouns;
    std::vector<UsualForm> found;
    const bool odd = is_in_odd_case(text);
    for (const text::Range& range : text::words(text)) {
        const std::string_view word = text::part(text, range);
        const auto [letters, in_capitals] = unusual_letters(word);
        if (odd ? !text::is_spoken(word) || word == "I" : letters == 0) continue;
        std::size_t rest = 0;
        const int32_t first = text::next_character(word, rest);
        const std::string small = text::small_letters(word, language);
        const std::string capital = text::capital_letter(first, language) +
                                    text::small_letters(word.substr(rest), language);
        const auto own = model.score(word), as_small = model.score(small), as_capital = model.score(capital);
        if (!own || !as_small || !as_capital) return {};
        if (odd) {
            const bool noun = nouns && *as_capital > *as_small + kNoLess;
            const std::string& usual = range.begin == 0 || noun ? capital : small;
            if (usual != word) found.push_back({range, usual});
            continue;
        }
        if (std::max(*as_small, *as_capital) < *own + kFarMore) continue;
        const bool noun = nouns && *as_capital > *as_small + kNoLess;
        // Abbreviations (UNESCO) are likelier in small letters, too, but no likely words; they have no accents.
        const bool plain = std::ranges::none_of(word, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
        const double least = letters <= 4 ? kOfShortWords : kOfWords;
        const bool likely = std::max(*as_small, *as_capital) >= least * double(letters);
        const bool usual_word = in_capitals && letters < 4
                                    ? is_usual_short(small, likely, language)
                                    : !plain || likely || is_of_few_pieces(model, noun ? capital : small);
        if (!usual_word) continue;
        const std::string& usual = noun ? capital : small;
        found.push_back({range, range.begin == 0 ? capital : usual, in_capitals});
    }
    return found;
}

bool may_want_capital(const Model& model, std::string_view text) {
    const std::vector<text::Range> words = text::words(text);
    if (words.empty() || words.size() > 2 || !model.score("a")) return false;
    for (std::size_t at = 0; at < text.size();) {
        const int32_t c = text::next_character(text, at);
        if (!text::is_lower(c) && !text::is_blank(c)) return false;
    }
    return true;
}

void drop_capital(const Model& model, std::string& text, const std::string& language) {
    const std::vector<text::Range> words = text::words(text);
    if (words.empty() || words.front().begin > 0) return;
    std::size_t rest = 0;
    const int32_t first = text::next_character(text, rest);
    const std::string letter = text::small_letter(first, language);
    if (!text::is_upper(first) || letter.size() != rest) return;
    const std::string word(text::part(text, words.front())), small = letter + word.substr(rest);
    const auto with = model.score(word), without = model.score(small);
    if (with && without && *without > *with) text.replace(0, rest, letter);
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
