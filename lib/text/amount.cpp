// SPDX-License-Identifier: Apache-2.0
#include "text/amount.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <string>
#include <vector>

#include "text/characters.h"
#include "text/digit_groups.h"

namespace dragoman::text {
namespace {

bool is_latin_figure(char c) { return c >= '0' && c <= '9'; }

bool is_group_separator(int32_t c) {
    return c == '.' || c == ',' || c == ':' || c == '\'' || c == 0x2019 || c == 0xa0 || c == 0x2009 || c == 0x202f;
}

// FigureGroups with one mark between each two groups.
struct FigureGroups {
    std::vector<std::string> groups{""};
    std::vector<int32_t> marks{};
    std::size_t end = 0;
};

FigureGroups groups_at(std::string_view text, std::size_t at) {
    FigureGroups found;
    while (at < text.size()) {
        if (is_latin_figure(text[at])) {
            found.groups.back() += text[at++];
            continue;
        }
        std::size_t next = at;
        const int32_t c = next_character(text, next);
        if (!is_group_separator(c) || next >= text.size() || !is_latin_figure(text[next])) break;
        found.marks.push_back(c);
        found.groups.emplace_back();
        at = next;
    }
    found.end = at;
    return found;
}

// "2.1" is as likely the number of a section or a version as a value.
bool may_be_section(const std::string& first, const std::string& second) {
    constexpr int kMost = 30;
    return first.size() <= 2 && first != "0" && second.size() <= 2 && std::stoi(second) <= kMost;
}

bool is_value(const FigureGroups& figures, bool sign, bool written) {
    const auto& [groups, marks, end] = figures;
    if (marks.empty() || std::ranges::find(marks, ':') != marks.end()) return false;
    if (groups.size() == 2) {
        if (marks[0] == ',') return true;
        if (marks[0] != '.') return groups[1].size() == 3;
        return sign || (!written && !may_be_section(groups[0], groups[1]));
    }
    const bool decimal = marks.back() != marks.front() && (marks.back() == '.' || marks.back() == ',');
    const std::size_t whole = groups.size() - (decimal ? 1 : 0);
    const bool same = std::all_of(marks.begin(), marks.begin() + std::ptrdiff_t(whole) - 1,
                                  [&](int32_t c) { return c == marks.front(); });
    const bool threes = std::all_of(groups.begin() + 1, groups.begin() + std::ptrdiff_t(whole),
                                    [](const std::string& group) { return group.size() == 3; });
    return same && threes && groups[0].size() <= 3;
}

bool has_value(std::string_view text, bool written) {
    if (!is_only_numbers(text)) return false;
    bool sign = false, found = false;
    for (std::size_t at = 0; at < text.size();) {
        const int32_t c = next_character(text, at);
        sign = sign || u_charType(c) == U_CURRENCY_SYMBOL || (!written && (c == '%' || c == 0x2030));
    }
    for (std::size_t at = 0; at < text.size();) {
        if (!is_latin_figure(text[at])) {
            ++at;
            continue;
        }
        const FigureGroups figures = groups_at(text, at);
        found = found || is_value(figures, sign, written);
        at = figures.end;
    }
    return found;
}

}  // namespace

bool is_amount(std::string_view text) { return has_value(text, false); }

bool is_written_amount(std::string_view text) { return has_value(text, true); }

}  // namespace dragoman::text
