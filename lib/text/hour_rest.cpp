// SPDX-License-Identifier: Apache-2.0
#include "text/hour_rest.h"

#include <algorithm>
#include <string>

#include "text/characters.h"

namespace dragoman::text {
namespace {

// The number of marks "a.m.", "p. m." in a text.
std::size_t marks_in(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = text.find('.'); at != std::string_view::npos; at = text.find('.', at + 1)) {
        if (at == 0) continue;
        const char half = char(text[at - 1] | 0x20);
        std::size_t letter = at + 1, before = at - 1;
        while (letter < text.size() && text[letter] == ' ') ++letter;
        const bool alone = before == 0 || !is_letter(previous_character(text, before));
        count += alone && (half == 'a' || half == 'p') && letter < text.size() && (text[letter] | 0x20) == 'm';
    }
    return count;
}

// A word in capitals behind a.m. or p.m., and a blank: a zone of time, "a.m. EDT".
std::string_view zone_behind(std::string_view text, std::size_t at) {
    if (!text.substr(at).starts_with(' ')) return {};
    std::size_t end = ++at;
    while (end < text.size() && text[end] >= 'A' && text[end] <= 'Z') ++end;
    return end > at + 1 && !is_letter(character_after(text, end)) ? text.substr(at, end - at) : std::string_view();
}

// "4:20 Uhr. EDT" of "4:20 a.m. EDT": the mark's stop is left.
void drop_stops_before_zones(std::string_view source, std::string_view target, std::vector<Edit>& edits) {
    constexpr std::string_view kHour = "Uhr. ";
    for (std::size_t at = target.find(kHour); at != target.npos; at = target.find(kHour, at + 1)) {
        const std::size_t stop = at + kHour.size() - 2;
        const std::string_view zone = zone_behind(target, stop + 1);
        const auto follows = [&](std::string_view mark) {
            return source.find(std::string(mark).append(" ").append(zone)) != source.npos;
        };
        if (!zone.empty() && (follows("m.") || follows("M."))) edits.push_back({{stop, stop + 1}, ""});
    }
}

bool is_stop(char c) { return c == '.' || c == '!' || c == '?' || c == ',' || c == ';' || c == ':'; }

}  // namespace

std::vector<Edit> hour_rests(std::string_view source, std::string_view target) {
    std::vector<Edit> edits;
    if (marks_in(source) > 0) drop_stops_before_zones(source, target, edits);
    std::size_t at = target.find(".m");
    if (at == std::string_view::npos) return edits;
    for (std::size_t left = marks_in(source); left > 0 && at != std::string_view::npos;
         at = target.find(".m", at + 1)) {
        std::size_t end = at + 2, next = end;
        if (const int32_t c = next_character(target, next); is_letter(c) || is_digit(c)) continue;
        std::size_t letters = 0;
        for (std::size_t before = at; before > 0 && is_letter(previous_character(target, before));) ++letters;
        if (letters < 2) continue;  // "a.m." itself
        if (target.substr(end).starts_with('.')) ++end;
        next = end;
        if (const int32_t c = next_character(target, next); is_letter(c) || is_digit(c)) continue;  // "www.m.de"
        std::size_t behind = end;
        while (behind < target.size() && target[behind] == ' ') ++behind;
        bool last = true;
        for (std::size_t rest = behind; rest < target.size();) {
            const int32_t c = next_character(target, rest);
            last = last && !is_letter(c) && !is_digit(c);
        }
        const bool stops = behind < target.size() && is_stop(target[behind]);
        edits.push_back({{at, end}, last && !stops ? "." : ""});
        --left;
    }
    std::ranges::sort(edits, {}, [](const Edit& edit) { return edit.range.begin; });
    return edits;
}

}  // namespace dragoman::text
