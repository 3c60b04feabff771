// SPDX-License-Identifier: Apache-2.0
#include "text/signs.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "text/language_rules.h"

namespace dragoman::text {
namespace {

bool is_sign_of(std::string_view list, char c) { return list.find(c) != std::string_view::npos; }
bool is_word(int32_t c) { return is_letter(c) || is_digit(c); }

bool is_emoji(int32_t c) {
    if (c < 0x2190) return false;
    if (c >= 0x1f1e6 && c <= 0x1f1ff) return true;  // letters of flags
    return u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC) || u_hasBinaryProperty(c, UCHAR_EMOJI_PRESENTATION);
}

bool is_box(int32_t c) { return (c >= 0x2610 && c <= 0x2612) || (c >= 0x2713 && c <= 0x2718); }

std::size_t pictures_end(std::string_view text, std::size_t at, const auto& is) {
    for (std::size_t next = at; next < text.size(); at = next) {
        if (!is(next_character(text, next))) break;
        next = cluster_end(text, at);
    }
    return at;
}

bool ends_word(std::string_view text, std::size_t at) {
    std::size_t next = at;
    return at >= text.size() || is_sign_of(".,!?)", text[at]) || is_space(next_character(text, next));
}

// Eyes, perhaps a nose, and one mouth or more.
std::size_t face_end(std::string_view text, std::size_t at) {
    std::size_t end = at + 1;
    if (text.substr(at).starts_with("xD")) return at + 2;
    if (!is_sign_of(":;=", text[at])) return at;
    if (end < text.size() && text[end] == '\'') ++end;
    if (end < text.size() && is_sign_of("-^", text[end])) ++end;
    const std::size_t mouth = end;
    while (end < text.size() && is_sign_of("()[]", text[end]) && text[end] == text[mouth]) ++end;
    if (end == mouth && end < text.size() && is_sign_of("DPpOo/\\|*", text[end])) ++end;
    return end > mouth ? end : at;
}

// "Thanks:)": a face behind a word, whose mouth closes no bracket.
std::size_t glued_face_end(std::string_view text, std::size_t at) {
    if (!is_sign_of(":;", text[at]) || !is_letter(character_before(text, at))) return at;
    const std::size_t end = face_end(text, at);
    if (end == at || !is_sign_of("()", text[end - 1]) || !ends_word(text, end)) return at;
    const std::string_view before = text.substr(0, at);
    return std::ranges::count(before, '(') == std::ranges::count(before, ')') ? end : at;
}

// A heart is at the end: elsewhere it is a verb, or compares.
std::size_t heart_end(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(at);
    const std::size_t size = rest.starts_with("<3") ? 2 : rest.starts_with("</3") ? 3 : 0;
    if (size == 0) return at;
    const bool last = std::ranges::none_of(rest.substr(size), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
    });
    return last && ends_word(text, at + size) ? at + size : at;
}

// Five signs and more with brackets and drawn ones among them, and nothing to read.
std::size_t drawing_end(std::string_view text, std::size_t at) {
    std::size_t end = at, signs = 0, brackets = 0, drawn = 0;
    for (std::size_t next = at; next < text.size(); end = next, ++signs) {
        const int32_t c = next_character(text, next);
        if (is_space(c)) break;
        if (c < 0x80 && is_word(c)) return at;
        brackets += c == '(' || c == ')';
        drawn += c >= 0x80 && (U_GET_GC_MASK(c) & (U_GC_SO_MASK | U_GC_SK_MASK | U_GC_SM_MASK)) != 0;
    }
    return signs >= 5 && brackets > 1 && drawn > 0 ? end : at;
}

}  // namespace

std::size_t emoji_end(std::string_view text, std::size_t at) { return pictures_end(text, at, is_emoji); }

std::size_t pictogram_end(std::string_view text, std::size_t at) {
    return pictures_end(text, at, [](int32_t c) { return is_emoji(c) || is_box(c); });
}

std::size_t emoticon_end(std::string_view text, std::size_t at, bool begins) {
    if (at >= text.size()) return at;
    if (!begins) return glued_face_end(text, at);
    if (const std::size_t end = face_end(text, at); end > at && ends_word(text, end)) return end;
    for (const auto& end_of : {heart_end, drawing_end})
        if (const std::size_t end = end_of(text, at); end > at) return end;
    return at;
}

bool ends_sentences(std::string_view run) {
    for (const std::string_view sign : {"!", "?", ".", "\xe2\x80\xa6", "\xef\xbc\x81", "\xef\xbc\x9f", "\xe3\x80\x82"})
        if (run.starts_with(sign)) return true;
    return false;
}

std::size_t sign_run_end(std::string_view text, std::size_t at) {
    std::size_t end = at;
    const int32_t c = next_character(text, end);
    if (is_word(c) || is_blank(c) || c < 0 || (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0) return at;
    if (std::size_t before = at; previous_character(text, before) == c) return at;
    std::size_t count = 1;
    for (std::size_t next = end; next < text.size() && next_character(text, next) == c; end = next) ++count;
    const std::size_t fewest = c == '!' || c == '?' || c == 0xff01 || c == 0xff1f ? 3 : 4;
    return count >= fewest ? end : at;
}

std::vector<Shout> shouts(std::string_view text) {
    constexpr std::size_t kLongestLine = 6;
    std::vector<Shout> found;
    for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
        const std::size_t end = sign_run_end(text, at);
        if (end > at && (text[at] == '_' || ends_sentences(text.substr(at, end - at)))) {
            std::size_t one = at;
            next_character(text, one);
            std::string sign(text.substr(at, one - at));
            if (sign == "." || sign == "\xe2\x80\xa6") sign = "...";
            if (sign == "_") sign.assign(std::min(end - at, kLongestLine), '_');
            found.push_back({{at, end}, std::move(sign)});
        }
        next_character(text, next);
        next = std::max(next, end);
    }
    return found;
}

std::vector<Guillemet> guillemets(std::string_view text) {
    const auto is_guillemet = [](int32_t c) { return c == 0xab || c == 0xbb || c == 0x2039 || c == 0x203a; };
    const auto edge = [](int32_t c) { return c < 0 || is_space(c); };
    std::vector<Guillemet> found;
    bool stops = false;
    for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
        const int32_t c = next_character(text, next);
        stops = stops || c == '.' || c == '!' || c == '?' || c == ',' || c == ':' || c == 0x2026;
        if (!is_guillemet(c)) continue;
        std::size_t before = at, after = next, second = next;
        const int32_t left = previous_character(text, before), right = next_character(text, after);
        next_character(text, second);
        const bool punctuated = right >= 0 && right < 0x80 && is_sign_of(".,;:!?)", char(right)) &&
                                edge(next_character(text, second));
        const bool alone = edge(left) && (edge(right) || punctuated);
        const bool inside = is_word(left) && is_word(right);
        const char* plain = c == 0xab || c == 0xbb ? "\"" : "'";
        found.push_back({{at, next}, alone || inside ? "" : plain});
    }
    if (found.size() == 1 && !stops) found.front().plain.clear();  // "Next»"
    return found;
}

bool avoids_guillemets(std::string_view language) {
    static constexpr auto kLanguages =
        std::to_array<std::string_view>({"af", "cy", "de", "en", "ga", "he", "hi", "ja", "ko", "lb", "nl", "th", "zh"});
    return std::ranges::find(kLanguages, primary_language(language)) != kLanguages.end();
}

std::vector<NumberSign> number_signs(std::string_view text, std::string_view language) {
    const std::string primary = primary_language(language);
    const bool english = primary == "en", german = primary == "de";
    std::vector<NumberSign> found;
    if (!english && !german) return found;
    for (std::size_t stop = text.find('.'); stop != text.npos; stop = text.find('.', stop + 1)) {
        std::size_t begin = stop;
        while (begin > 0 && (((text[begin - 1] | 0x20) >= 'a') && ((text[begin - 1] | 0x20) <= 'z'))) --begin;
        std::string sign(text.substr(begin, stop - begin));
        const bool capital = !sign.empty() && sign.front() == 'N';
        std::ranges::transform(sign, sign.begin(), [](char c) { return char(c | 0x20); });
        const bool known = english ? sign == "no" || sign == "nos" : sign == "nr" && begin > 0;
        const std::size_t number = std::min(text.find_first_not_of(' ', stop + 1), text.size());
        std::size_t before = begin;
        if (!known || number > stop + 2 || !is_code_of_figures(text, number)) continue;
        if (is_word(previous_character(text, before))) continue;
        std::string word = german ? "Nummer" : capital && begin == 0 ? "Number" : "number";
        if (number == stop + 1) word += ' ';
        found.push_back({{begin, stop + 1}, std::move(word)});
    }
    return found;
}

}  // namespace dragoman::text
