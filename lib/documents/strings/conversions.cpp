// SPDX-License-Identifier: Apache-2.0
#include "documents/strings/conversions.h"

#include <algorithm>

#include "text/kept.h"

namespace dragoman::documents {

namespace {

bool is_ascii_figure(char c) { return c >= '0' && c <= '9'; }

// Qt's arguments: "%1", "%L2", "%n".
std::size_t argument_end(std::string_view text, std::size_t at) {
    std::size_t end = at + 1 + (text.substr(at + 1).starts_with('L') ? 1 : 0);
    const std::size_t begin = end;
    while (end < std::min(text.size(), begin + 2) && is_ascii_figure(text[end])) ++end;
    if (end == begin && text.substr(end).starts_with('n')) ++end;
    const char next = end < text.size() ? text[end] : ' ';
    const bool word = is_ascii_figure(next) || ((next | 0x20) >= 'a' && (next | 0x20) <= 'z') || next == '_' ||
                      next == '%';
    const bool amount = at > 0 && is_ascii_figure(text[at - 1]);
    return end > begin && text[begin] != '0' && !word && !amount ? end : at;
}

}  // namespace

std::vector<text::Range> conversions(std::string_view text) {
    std::vector<text::Range> found;
    std::string shown(text);
    for (std::size_t at = shown.find("%%"); at != std::string::npos; at = shown.find("%%", at + 2))
        shown.replace(at, 2, "  ");
    for (std::size_t at = shown.find('%'); at != std::string::npos; at = shown.find('%', at + 1))
        if (const std::size_t end = std::max(text::format_end(shown, at), argument_end(shown, at)); end > at)
            found.push_back({at, end});
    return found;
}

std::string numbered(std::string_view conversion, std::size_t number) {
    if (conversion.find('*') != std::string_view::npos) return {};
    return "%" + std::to_string(number) + "$" + std::string(conversion.substr(1));
}

bool takes_next(std::string_view conversion) {
    const bool argument = is_ascii_figure(conversion.back()) || conversion.back() == 'n';  // of Qt
    return conversion.find('$') == std::string_view::npos && !conversion.starts_with("%(") && !argument;
}

}  // namespace dragoman::documents
