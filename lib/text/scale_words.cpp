// SPDX-License-Identifier: Apache-2.0
#include "text/scale_words.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "text/language_rules.h"

namespace dragoman::text {
namespace {

struct Scale {
    std::string_view sign, word, word_of_one;
    bool stops;     // may have a stop
    bool of_money;  // only behind an amount with a currency's sign: "2m" is a length
};

constexpr auto kGermanScales = std::to_array<Scale>({{"Mio", "Millionen", "Million", true, false},
                                                     {"Mill", "Millionen", "Million", true, false},
                                                     {"Mrd", "Milliarden", "Milliarde", true, false},
                                                     {"Mia", "Milliarden", "Milliarde", true, false},
                                                     {"Bio", "Billionen", "Billion", true, false},
                                                     {"Tsd", "Tausend", "Tausend", true, false},
                                                     {"Std", "Stunden", "Stunde", true, false}});
constexpr auto kEnglishScales = std::to_array<Scale>({{"bn", "billion", "billion", false, false},
                                                      {"mn", "million", "million", false, true},
                                                      {"tn", "trillion", "trillion", false, true},
                                                      {"trn", "trillion", "trillion", false, false},
                                                      {"hrs", "hours", "hour", true, false},
                                                      {"m", "million", "million", false, true},
                                                      {"M", "million", "million", false, true},
                                                      {"b", "billion", "billion", false, true},
                                                      {"B", "billion", "billion", false, true}});

bool is_scale_figure(char c) { return c >= '0' && c <= '9'; }

// The figures that end at `end`.
Range figures_before(std::string_view text, std::size_t end) {
    Range figures{end, end};
    while (figures.begin > 0 && (is_scale_figure(text[figures.begin - 1]) || text[figures.begin - 1] == '.' ||
                                 text[figures.begin - 1] == ','))
        --figures.begin;
    while (figures.size() > 0 && !is_scale_figure(text[figures.begin])) ++figures.begin;
    return figures;
}

bool follows_currency(std::string_view text, Range figures) {
    std::size_t at = figures.begin;
    return u_charType(previous_character(text, at)) == U_CURRENCY_SYMBOL;
}

template <std::size_t Size>
std::vector<ScaleWord> scales_in(std::string_view text, const std::array<Scale, Size>& scales) {
    std::vector<ScaleWord> found;
    for (std::size_t at = 1; at < text.size(); ++at) {
        const bool blank = text[at - 1] == ' ' && at > 1;
        const std::size_t end = blank ? at - 1 : at;
        if (!is_scale_figure(text[end - 1])) continue;
        for (const Scale& scale : scales) {
            if (!text.substr(at).starts_with(scale.sign)) continue;
            std::size_t behind = at + scale.sign.size();
            if (const int32_t c = character_after(text, behind); is_letter(c) || is_digit(c)) continue;
            const Range figures = figures_before(text, end);
            if (scale.of_money && (blank || !follows_currency(text, figures))) continue;
            const bool last = text.find_first_not_of(".!? )\"'", behind) ==
                              text.npos;  // its stop is the sentence's too
            if (scale.stops && !last && text.substr(behind).starts_with('.')) ++behind;
            if (scale.sign == "hrs" && figures.size() == 4 && figures.begin + 4 == end && text[figures.begin] < '3') {
                found.push_back({{blank ? at - 1 : at, behind}, {}});  // "1730 hrs" is a time, no length of it
                break;
            }
            const bool one = part(text, figures) == "1";
            found.push_back({{at, behind}, std::string(blank ? "" : " ").append(one ? scale.word_of_one : scale.word)});
            at = behind - 1;
            break;
        }
    }
    return found;
}

}  // namespace

std::vector<ScaleWord> scale_words(std::string_view text, std::string_view language) {
    if (std::ranges::none_of(text, is_scale_figure)) return {};
    const std::string base = primary_language(language);
    if (base == "de") return scales_in(text, kGermanScales);
    return base == "en" ? scales_in(text, kEnglishScales) : std::vector<ScaleWord>();
}

}  // namespace dragoman::text
