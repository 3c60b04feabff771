// SPDX-License-Identifier: Apache-2.0
#include "documents/strings/conversions.h"

#include <algorithm>

#include "text/kept.h"

namespace dragoman::documents {

namespace {

bool is_ascii_figure(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return is_ascii_figure(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_'; }

// Qt's arguments: "%1", "%L2", "%n".
std::size_t argument_end(std::string_view text, std::size_t at) {
    std::size_t end = at + 1 + (text.substr(at + 1).starts_with('L') ? 1 : 0);
    const std::size_t begin = end;
    while (end < std::min(text.size(), begin + 2) && is_ascii_figure(text[end])) ++end;
    if (end == begin && text.substr(end).starts_with('n')) ++end;
    const char next = end < text.size() ? text[end] : ' ';
    const bool word = is_name(next) || next == '%';
    const bool amount = at > 0 && is_ascii_figure(text[at - 1]);
    return end > begin && text[begin] != '0' && !word && !amount ? end : at;
}

constexpr std::string_view kMacro = "%<PRI";

// Ruby's "%<name>d" and "%<name>.2f", and C's "%<PRIu64>".
std::size_t bracketed_end(std::string_view text, std::size_t at) {
    constexpr std::size_t kLongestName = 64;
    if (!text.substr(at).starts_with("%<")) return at;
    std::size_t end = at + 2;
    while (end < std::min(text.size(), at + kLongestName) && is_name(text[end])) ++end;
    if (end == at + 2 || !text.substr(end).starts_with('>')) return at;
    ++end;
    if (text.substr(at).starts_with(kMacro)) return end;
    while (end < text.size() && std::string_view("0123456789.-+#").find(text[end]) != std::string_view::npos) ++end;
    const bool letter = end < text.size() && std::string_view("sdiufgGeEpxXobBcaA").find(text[end]) != text.npos;
    const bool word = end + 1 < text.size() && is_name(text[end + 1]);
    return letter && !word ? end + 1 : at;
}

}  // namespace

std::vector<text::Range> conversions(std::string_view text) {
    std::vector<text::Range> found;
    std::string shown(text);
    for (std::size_t at = shown.find("%%"); at != std::string::npos; at = shown.find("%%", at + 2))
        shown.replace(at, 2, "  ");
    for (std::size_t at = shown.find('%'); at != std::string::npos; at = shown.find('%', at + 1))
        for (const auto& end_of : {bracketed_end, text::format_end, argument_end})
            if (const std::size_t end = end_of(shown, at); end > at) {
                found.push_back({at, end});
                break;
            }
    return found;
}

std::string numbered(std::string_view conversion, std::size_t number) {
    if (conversion.find('*') != std::string_view::npos) return {};
    return "%" + std::to_string(number) + "$" + std::string(conversion.substr(1));
}

bool takes_next(std::string_view conversion) {
    const bool argument = is_ascii_figure(conversion.back()) || conversion.back() == 'n';  // of Qt
    const bool named = conversion.starts_with("%(") ||
                       (conversion.starts_with("%<") && !conversion.starts_with(kMacro));
    return conversion.find('$') == std::string_view::npos && !named && !argument;
}

}  // namespace dragoman::documents
