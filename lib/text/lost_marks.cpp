// SPDX-License-Identifier: Apache-2.0
#include "text/lost_marks.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "text/characters.h"

namespace dragoman::text {
namespace {

constexpr auto kTradeMarks =
    std::to_array<std::pair<std::string_view, std::string_view>>({{"\xe2\x84\xa2", "TM"}, {"\xe2\x84\xa0", "SM"}});

void add_trade_marks(std::string_view source, std::string_view target, std::vector<Edit>& edits) {
    for (const auto& [sign, letters] : kTradeMarks) {
        for (std::size_t at = source.find(sign); at != source.npos; at = source.find(sign, at + sign.size())) {
            std::size_t begin = at;
            for (std::size_t before = at; begin > 0; begin = before)
                if (const int32_t c = previous_character(source, before); !is_letter(c) && !is_digit(c)) break;
            const std::string written = std::string(source.substr(begin, at - begin)).append(letters);
            const std::size_t found = begin < at ? target.find(written) : target.npos;
            if (found == target.npos) continue;
            const std::size_t end = found + written.size();
            const Range own{end - letters.size(), end};
            const bool taken = std::ranges::any_of(edits, [&](const Edit& edit) { return edit.range == own; });
            if (!taken && !is_letter(character_after(target, end))) edits.push_back({own, std::string(sign)});
        }
    }
}

// What a text ends with: "?!", "!?", ",", ";" or ":". No stop stands in front of it, as in "etc.:".
std::string_view end_of(std::string_view text) {
    for (const std::string_view end : {"?!", "!?", ",", ";", ":"}) {
        if (!text.ends_with(end)) continue;
        const std::string_view before = text.substr(0, text.size() - end.size());
        return before.ends_with('.') ? std::string_view() : text.substr(before.size());
    }
    return {};
}

struct Ellipsis {
    Range range{};
    bool glued = false;  // to the word before it
};

std::vector<Ellipsis> ellipses_in(std::string_view text) {
    std::vector<Ellipsis> found;
    for (std::size_t at = 0; at < text.size();) {
        const bool sign = text.substr(at).starts_with("\xe2\x80\xa6");
        const std::size_t size = sign ? 3 : std::min(text.find_first_not_of('.', at), text.size()) - at;
        if (size >= 3) {
            std::size_t before = at;
            const int32_t c = previous_character(text, before);
            found.push_back({{at, at + size}, is_letter(c) || is_digit(c)});
        }
        at += std::max<std::size_t>(size, 1);
    }
    return found;
}

// Dots that are more than the source's: "%s...." of "%s...".
void shorten_ellipses(std::string_view source, std::string_view target, std::vector<Edit>& edits) {
    const std::vector<Ellipsis> given = ellipses_in(source), found = ellipses_in(target);
    if (given.size() != found.size()) return;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Range own = given[i].range, dots = found[i].range;
        if (dots.size() > own.size() && target[dots.begin] == '.')  // a sign has as many bytes as dots
            edits.push_back({{dots.begin + own.size(), dots.end}, ""});
    }
}

// "Save as..." does not become "Speichern als ...": all touch the words before them as in the source.
bool join_ellipses(std::string_view source, std::string_view target, std::vector<Edit>& edits) {
    const std::vector<Ellipsis> given = ellipses_in(source), found = ellipses_in(target);
    if (given.size() != found.size() || !std::ranges::all_of(given, &Ellipsis::glued)) return false;
    for (std::size_t i = 0; i < found.size(); ++i) {
        Range range = found[i].range;
        std::size_t blank = range.begin;
        if (previous_character(target, blank) != ' ') blank = range.begin;
        std::size_t before = blank;
        const int32_t c = previous_character(target, before);
        if (!is_letter(c) && !is_digit(c)) continue;
        const std::string_view own = part(source, given[i].range);
        if (blank < range.begin || part(target, range) != own) edits.push_back({{blank, range.end}, std::string(own)});
    }
    return true;
}

std::vector<Edit> found_in(std::string_view source, std::string_view target) {
    std::vector<Edit> edits;
    add_trade_marks(source, target, edits);
    if (!join_ellipses(source, target, edits)) shorten_ellipses(source, target, edits);
    source = part(source, trim(source, {0, source.size()}));
    const std::size_t last = trim(target, {0, target.size()}).end;
    const std::string_view whole = target.substr(0, last);
    if (whole.ends_with("..") && !whole.ends_with("...") && source.ends_with('.') && !source.ends_with(".."))
        edits.push_back({{last - 1, last}, ""});
    const std::string_view own = part(target, trim(target, {0, target.size()})), end = end_of(source);
    if (end.empty() || own.size() < 2) return edits;
    const bool single = std::string_view(",.!?").find(own[own.size() - 2]) == std::string_view::npos;
    const bool mark = end.size() == 1 ? own.back() == '.' : own.back() == '?' || own.back() == '!';
    const std::size_t at = trim(target, {0, target.size()}).end;
    if (single && mark) edits.push_back({{at - 1, at}, std::string(end)});
    return edits;
}

}  // namespace

std::vector<Edit> lost_marks(std::string_view source, std::string_view target) {
    std::vector<Edit> edits = found_in(source, target);
    std::ranges::sort(edits, {}, [](const Edit& edit) { return edit.range.begin; });
    return edits;
}

}  // namespace dragoman::text
