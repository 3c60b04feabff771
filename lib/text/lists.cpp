// SPDX-License-Identifier: Apache-2.0
#include "text/lists.h"

#include <algorithm>
#include <array>

#include "text/capitals.h"
#include "text/kept.h"
#include "text/words.h"

namespace dragoman::text {
namespace {

constexpr std::size_t kMostItems = 1024;

std::size_t count_spoken(std::string_view text) {
    const std::vector<Range> all = words(text);
    return std::size_t(std::ranges::count_if(all, [&](Range word) { return is_spoken(part(text, word)); }));
}

// Whether all of a text is letters, with blanks, hyphens and apostrophes between them, and of no script without blanks.
bool is_lettered(std::string_view text) {
    std::size_t letters = 0;
    for (std::size_t at = 0; at < text.size();) {
        const int32_t c = next_character(text, at);
        const bool joint = c == ' ' || c == '-' || c == '\'' || c == 0x2019;
        if (is_unspaced(c) || (!joint && !is_letter(c))) return false;
        letters += is_letter(c);
    }
    return letters > 1;
}

bool is_shouted(std::string_view text) {
    for (std::size_t at = 0; at < text.size();)
        if (is_lower(next_character(text, at))) return false;
    return true;
}

// Endings of German nouns for women, behind a noun: "Schüler/in".
bool is_ending(std::string_view text) {
    static constexpr auto kEndings = std::to_array<std::string_view>({"in", "innen", "frau", "frauen"});
    if (text.starts_with('-')) return true;
    return std::ranges::find(kEndings, text) != kEndings.end();
}

// What names of kinds of files begin with: "application/json".
bool is_kind_of_file(std::string_view text) {
    static constexpr auto kKinds = std::to_array<std::string_view>({"application", "audio", "font", "image", "message",
                                                                    "model", "multipart", "text", "video"});
    return std::ranges::find(kKinds, text) != kKinds.end();
}

bool are_alternatives(std::string_view text, const std::vector<Range>& parts, bool spaced) {
    constexpr std::size_t kMostWords = 3, kShortName = 4;
    if (parts.size() < 2 || parts.size() > kMostItems || is_kind_of_file(part(text, parts.front()))) return false;
    for (const Range& range : parts) {
        const std::string_view own = part(text, range);
        const std::size_t count = count_spoken(own);
        if (!is_lettered(own) || count == 0 || count > (spaced ? kMostWords : 1)) return false;
        if (range.begin > parts.front().begin && is_ending(own)) return false;
        if (own.size() <= kShortName && is_shouted(own)) return false;
    }
    return true;
}

Range without_stops(std::string_view text, Range range) {
    while (range.size() > 0 && std::string_view(".!?:;").find(text[range.end - 1]) != std::string_view::npos)
        --range.end;
    return range;
}

std::vector<Range> parts_at(std::string_view text, Range list, std::string_view sign) {
    std::vector<Range> parts;
    text = text.substr(0, list.end);  // the rest of the text is not searched
    for (std::size_t at = list.begin; at <= list.end;) {
        const std::size_t end = std::min(text.find(sign, at), list.end);
        parts.push_back(trim(text, {at, end}));
        at = end + sign.size();
    }
    return parts;
}

// Words that are one and the same, with blanks and commas between them.
std::vector<Range> repeated_word(std::string_view text, Range sentence) {
    const Range list = without_stops(text, sentence);
    std::vector<Range> found;
    for (const Range& word : words(part(text, list))) {
        const Range place{word.begin + list.begin, word.end + list.begin};
        const std::string_view said = part(text, place);
        if (said == "," && !found.empty()) continue;
        const bool same = found.empty() || small_letters(said, "") == small_letters(part(text, found.front()), "");
        if (!same || !is_lettered(said) || found.size() == kMostItems) return {};
        found.push_back(place);
    }
    if (found.size() < 2 || found.front().begin != sentence.begin) return {};
    found.back().end = sentence.end;
    return found;
}

// Whether the last item of a list is two, "dog and cat".
bool is_joined(std::string_view text) {
    static constexpr auto kJoints =
        std::to_array<std::string_view>({"and", "or", "und", "oder", "et", "ou", "y", "e", "o", "i", "en", "of", "og",
                                         "och", "eller", "\u0438"});
    const std::size_t first = text.find(' '), last = text.rfind(' ');
    return first != text.npos && last > first + 1 && std::ranges::count(text, ' ') == 2 &&
           std::ranges::find(kJoints, text.substr(first + 1, last - first - 1)) != kJoints.end();
}

std::vector<Range> between_commas(std::string_view text, Range sentence) {
    constexpr std::size_t kMostWords = 2;
    std::vector<Range> parts = parts_at(text, sentence, ",");
    if (parts.size() < 2 || parts.size() > kMostItems) return {};
    for (const Range& range : parts) {
        const std::string_view own = part(text, &range == &parts.back() ? without_stops(text, range) : range);
        const std::size_t count = count_spoken(own);
        const bool two = &range == &parts.back() && is_joined(own);
        if (!is_lettered(own) || count == 0 || (count > kMostWords && !two)) return {};
    }
    return parts;
}

std::size_t commas_in(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size();)
        if (const int32_t c = next_character(text, at); c == ',' || c == ';' || c == 0x60c || c == 0x3001) ++count;
    return count;
}

}  // namespace

std::vector<Range> alternatives(std::string_view text, Range sentence) {
    const std::string_view own = part(text, sentence);
    if (own.find('/') == own.npos || own.size() > 16 * kMostItems) return {};
    Range list = without_stops(text, sentence);
    const bool bracket = list.size() > 1 && text[list.begin] == '(' && text[list.end - 1] == ')';
    if (bracket) list = {list.begin + 1, list.end - 1};
    const bool spaced = own.find(" / ") != own.npos;
    std::vector<Range> parts = parts_at(text, list, spaced ? " / " : "/");
    if (!are_alternatives(text, parts, spaced) || !find_kept(part(text, list)).empty()) return {};
    if (!bracket) parts.back().end = sentence.end;
    return parts;
}

std::vector<Range> items(std::string_view text, Range sentence) {
    std::vector<Range> found = repeated_word(text, sentence);
    return found.empty() ? between_commas(text, sentence) : found;
}

bool loses_items(std::string_view text, Range sentence, std::string_view translation) {
    constexpr std::size_t kMostWords = 3;  // of an item's translation
    const std::size_t again = repeated_word(text, sentence).size();
    const std::vector<Range> listed = again > 0 ? std::vector<Range>() : between_commas(text, sentence);
    const bool joined = !listed.empty() && is_joined(part(text, without_stops(text, listed.back())));
    const std::size_t all = again > 0 ? again : listed.size() + joined;
    if (all == 0) return false;
    for (std::size_t at = 0; at < translation.size();)
        if (is_unspaced(next_character(translation, at))) return false;
    const std::size_t count = count_spoken(translation);
    if (joined && commas_in(translation) + 1 < listed.size()) return true;
    return count < all || count > kMostWords * all || (again > 0 && count % again != 0);
}

}  // namespace dragoman::text
