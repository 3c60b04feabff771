// SPDX-License-Identifier: Apache-2.0
#include "text/code_spans.h"

#include <algorithm>
#include <string>

namespace dragoman::text {
namespace {

bool is_small_ascii(char c) { return c >= 'a' && c <= 'z'; }
bool is_span_figure(char c) { return c >= '0' && c <= '9'; }
bool is_of_name(char c) { return is_small_ascii(c) || (c >= 'A' && c <= 'Z') || is_span_figure(c) || c == '_'; }

// A variable of one letter, a number, a text in quotation marks, or what no word has.
bool is_argument(std::string_view text) {
    if (text.empty()) return false;
    const char first = text.front(), last = text.back();
    if (text.size() > 1 && (first == '"' || first == '\'') && first == last) return true;
    const std::size_t begin = first == '-' || first == '&' || first == '*' ? 1 : 0;
    const std::string_view own = text.substr(begin);
    const auto of_argument = [](char c) { return is_of_name(c) || c == '.' || c == '='; };
    if (own.empty() || !std::ranges::all_of(own, of_argument)) return false;
    const bool odd = own.find_first_of("_=0123456789") != own.npos;
    return own.size() == 1 || odd || begin > 0;
}

std::size_t operator_end(std::string_view text, std::size_t at) {
    for (const std::string_view sign : {"===", "==", "~=", ">=", "<=", "!=", ">", "<"})
        if (text.substr(at).starts_with(sign)) return at + sign.size();
    return at;
}

std::size_t version_end(std::string_view text, std::size_t at) {
    if (at >= text.size() || !is_span_figure(text[at])) return at;
    return std::min(text.find_first_not_of("0123456789.*abrcdevpost", at), text.size());
}

}  // namespace

std::size_t call_end(std::string_view text, std::size_t at) {
    constexpr std::size_t kLongest = 96;  // bytes
    std::size_t open = at;
    while (open < text.size() && (is_of_name(text[open]) || text[open] == '.')) ++open;
    if (open == at || !(is_small_ascii(text[at]) || text[at] == '_') || !text.substr(open).starts_with('(')) return at;
    const std::size_t close = text.substr(0, std::min(text.size(), open + kLongest)).find_first_of("()", open + 1);
    if (close == text.npos || text[close] != ')' || is_letter(character_after(text, close + 1))) return at;
    std::size_t arguments = 0;
    for (std::size_t begin = open + 1; begin <= close; ++arguments) {
        const std::size_t end = std::min(text.find(',', begin), close);
        if (!is_argument(part(text, trim(text, {begin, end})))) return at;
        begin = end + 1;
    }
    return arguments > 1 ? close + 1 : at;
}

bool is_ip6_address(std::string_view text) {
    const auto is_hex = [](char c) { return is_span_figure(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); };
    if (const std::size_t zone = text.find('%'); zone != text.npos) {
        const std::string_view name = text.substr(zone + 1);
        if (name.empty() || !std::ranges::all_of(name, is_of_name)) return false;
        text = text.substr(0, zone);
    } else if (const std::size_t prefix = text.find('/'); prefix != text.npos) {
        const std::string_view size = text.substr(prefix + 1);
        if (size.empty() || size.size() > 3 || !std::ranges::all_of(size, is_span_figure)) return false;
        text = text.substr(0, prefix);
    }
    const std::size_t gap = text.find("::");
    const auto colons = std::ranges::count(text, ':');
    if (gap == text.npos ? colons != 7 : text.find("::", gap + 1) != text.npos || colons > 7) return false;
    std::size_t group = 0, figures = 0;
    for (const char c : text) {
        if (c != ':' && !is_hex(c)) return false;
        group = c == ':' ? 0 : group + 1;
        figures += is_span_figure(c);
        if (group > 4) return false;
    }
    return figures > 0;  // "Cafe::Bed" is a name of a program
}

bool is_requirement(std::string_view text) {
    std::size_t name = 0;
    while (name < text.size() && (is_of_name(text[name]) || text[name] == '-' || text[name] == '.')) ++name;
    if (name > 0 && (name < 2 || is_span_figure(text.front()))) return false;  // "p<0.05"
    std::size_t bounds = 0, at = name;
    bool sure = false;
    for (;; ++at) {
        const std::size_t sign = operator_end(text, at), end = version_end(text, sign);
        if (sign == at || end == sign) return false;
        sure = sure || text.substr(at, 2) == "~=" || text.substr(at, 2) == "==";
        ++bounds;
        at = end;
        if (at == text.size()) break;
        if (text[at] != ',') return false;
    }
    return name > 0 ? sure || bounds > 1 || text.substr(name, 2) == ">=" : bounds > 1 || text.starts_with("~=");
}

std::size_t bold_mark_end(std::string_view text, std::size_t at) {
    const std::string_view mark = text.substr(at, 2);
    if (mark != "**" && mark != "__") return at;
    const std::size_t end = at + 2;
    const int32_t before = character_before(text, at), after = character_after(text, end);
    if (before == mark[0] || after == mark[0]) return at;
    const auto is_edge = [](int32_t c) { return c < 0 || (!is_letter(c) && !is_digit(c)); };
    const auto is_gap = [](int32_t c) { return c < 0 || is_space(c); };
    const bool opens = is_edge(before) && !is_gap(after), closes = !is_gap(before) && is_edge(after);
    if (opens && text.find(mark, end) != text.npos) return end;
    return closes && text.rfind(mark, at - 1) != text.npos ? end : at;
}

}  // namespace dragoman::text
