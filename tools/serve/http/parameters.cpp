// SPDX-License-Identifier: Apache-2.0
#include "serve/http/parameters.h"

#include <algorithm>
#include <cstddef>

#include "serve/ascii.h"
#include "serve/http/characters.h"

namespace serve::http {
namespace {

// Takes a quoted value from the front of `text`, which begins behind the first quote.
std::string take_quoted(std::string_view& text) {
    std::string value;
    std::size_t at = 0;
    for (; at < text.size() && text[at] != '"'; ++at) {
        const bool escape = text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '"' || text[at + 1] == '\\');
        // A name that ends in a backslash: the quote behind it is the last one.
        const bool last = escape && text[at + 1] == '"' && text.find('"', at + 2) == std::string_view::npos;
        if (escape && !last) ++at;
        value += text[at];
    }
    text.remove_prefix(std::min(at + 1, text.size()));
    return value;
}

}  // namespace

std::optional<std::string> parameter(std::string_view value, std::string_view name) {
    std::string_view rest = value;
    rest.remove_prefix(std::min(rest.find(';'), rest.size()));
    while (!rest.empty()) {
        rest.remove_prefix(1);  // ';'
        const std::size_t end = std::min(rest.find_first_of("=;"), rest.size());
        const std::string_view found = without_blanks(rest.substr(0, end));
        rest.remove_prefix(end);
        std::string text;
        if (!rest.empty() && rest[0] == '=') {
            rest.remove_prefix(1);
            rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
            if (!rest.empty() && rest[0] == '"') {
                rest.remove_prefix(1);
                text = take_quoted(rest);
                rest.remove_prefix(std::min(rest.find(';'), rest.size()));
            } else {
                const std::size_t stop = std::min(rest.find(';'), rest.size());
                text = without_blanks(rest.substr(0, stop));
                rest.remove_prefix(stop);
            }
        }
        if (same_in_any_case(found, name)) return text;
    }
    return std::nullopt;
}

}  // namespace serve::http
