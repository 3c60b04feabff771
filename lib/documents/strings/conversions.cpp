// SPDX-License-Identifier: Apache-2.0
#include "documents/strings/conversions.h"

#include "text/kept.h"

namespace dragoman::documents {

std::vector<text::Range> conversions(std::string_view text) {
    std::vector<text::Range> found;
    std::string shown(text);
    for (std::size_t at = shown.find("%%"); at != std::string::npos; at = shown.find("%%", at + 2))
        shown.replace(at, 2, "  ");
    for (std::size_t at = shown.find('%'); at != std::string::npos; at = shown.find('%', at + 1))
        if (const std::size_t end = text::format_end(shown, at); end > at) found.push_back({at, end});
    return found;
}

std::string numbered(std::string_view conversion, std::size_t number) {
    if (conversion.find('*') != std::string_view::npos) return {};
    return "%" + std::to_string(number) + "$" + std::string(conversion.substr(1));
}

bool takes_next(std::string_view conversion) {
    return conversion.find('$') == std::string_view::npos && !conversion.starts_with("%(");
}

}  // namespace dragoman::documents
