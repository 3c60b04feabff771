// SPDX-License-Identifier: Apache-2.0
#include "text/number_words.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "text/capitals.h"
#include "text/characters.h"
#include "text/language_rules.h"

namespace dragoman::text {
namespace {

// Beginnings of words in small letters, for numbers from 0 to 12.
struct Words {
    std::string_view language;
    std::array<std::string_view, 13> of;
};

constexpr std::array kWords{
    Words{"en",
          {"zero no nil none", "one once a an first single", "two twice second both double pair couple half",
           "three thrice third triple", "four quarter", "five fifth", "six", "seven", "eight", "nine nin", "ten",
           "eleven", "twel dozen noon midnight"}},
    Words{"de",
          {"null kein", "ein erst", "zwei zwo beid doppel paar halb", "drei dritt", "vier", "fünf", "sechs", "sieb",
           "acht", "neun", "zehn", "elf", "zwölf dutzend mittag"}},
    Words{"fr",
          {"zéro", "un prem", "deux double paire demi second", "trois tiers triple", "quatre quatri quart", "cinq",
           "six sixi", "sept", "huit", "neuf neuv", "dix", "onz", "douz midi minuit"}},
    Words{"es",
          {"cero", "un prim", "dos segund doble par ambos medi", "tres terc tripl", "cuatro cuart", "cinco quint",
           "seis sext", "siete sépt sépti", "ocho octav", "nueve noven", "diez décim", "once undé", "doce docena"}}};

bool begins_a_word(std::string_view small, std::string_view wanted) {
    for (std::size_t at = small.find(wanted); at != std::string_view::npos; at = small.find(wanted, at + 1)) {
        std::size_t before = at;
        if (!is_letter(previous_character(small, before))) return true;
    }
    return false;
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
    const std::string small = small_letters(text, {});
    return std::ranges::any_of(words, [&](std::string_view word) { return begins_a_word(small, word); });
}

}  // namespace

bool has_number_word(std::string_view text, int number, std::string_view language) {
    const auto known = std::ranges::find(kWords, primary_language(language), &Words::language);
    if (known == kWords.end()) return true;
    if (number < 0 || number >= int(known->of.size())) return false;
    const std::string small = small_letters(text, {});
    for (std::string_view words = known->of[std::size_t(number)]; !words.empty();) {
        const std::size_t end = std::min(words.find(' '), words.size());
        if (begins_a_word(small, words.substr(0, end))) return true;
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return false;
}

bool says_afternoon(std::string_view text) {
    return has_any(text, {"afternoon", "evening", "pm", "p.m", "tonight", "nachmittag", "abend", "mittags"});
}

bool says_midnight(std::string_view text) { return has_any(text, {"midnight", "mitternacht", "minuit", "medianoche"}); }

bool says_noon(std::string_view text) { return has_any(text, {"noon", "midday", "mittag", "midi", "mediodía"}); }

}  // namespace dragoman::text
