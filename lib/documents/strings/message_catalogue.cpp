// SPDX-License-Identifier: Apache-2.0
#include "documents/strings/message_catalogue.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "documents/is_one.h"
#include "markup/ascii.h"

namespace dragoman::documents {
namespace {

struct Catalogue {
    std::string_view message;
    std::array<std::string_view, 7> keys;  // that an entry may have
};
constexpr std::array<Catalogue, 2> kCatalogues{{
    {"message", {"message", "description", "placeholders", "hash", "", "", ""}},
    {"defaultMessage", {"defaultMessage", "description", "id", "file", "start", "end", "meaning"}},
}};

// Whether every value of the root is an entry of this kind.
bool is_of_kind(std::string_view source, const Catalogue& kind) {
    std::size_t depth = 0, entries = 0;
    bool has_message = false;
    for (std::size_t at = 0; at < source.size(); ++at) {
        const char c = source[at];
        if (c == '{' || c == '[') {
            if (++depth <= 2 && c == '[') return false;
            has_message = has_message && depth != 2;
        } else if (c == '}' || c == ']') {
            if (depth-- == 2 && !has_message) return false;
            entries += depth == 1;
        } else if (c == '"') {
            const std::size_t begin = at + 1;
            for (++at; at < source.size() && source[at] != '"'; ++at)
                if (source[at] == '\\') ++at;
            const std::size_t next = std::min(source.find_first_not_of(" \t\r\n", at + 1), source.size() - 1);
            if (source[next] != ':') {
                if (depth < 2) return false;
                continue;
            }
            const std::string_view key = source.substr(begin, at - begin);
            if (depth == 2 && !is_one(kind.keys, key)) return false;
            const std::size_t value = std::min(source.find_first_not_of(" \t\r\n", next + 1), source.size() - 1);
            has_message = has_message || (depth == 2 && key == kind.message && source[value] == '"');
            at = next;
        } else if (depth < 2 && !markup::is_blank(c) && c != ',') {
            return false;  // a number
        }
    }
    return entries > 0;
}

}  // namespace

std::string_view message_key(std::string_view source) {
    if (source.starts_with("\xEF\xBB\xBF")) source.remove_prefix(3);
    for (const Catalogue& kind : kCatalogues)
        if (is_of_kind(source, kind)) return kind.message;
    return "";
}

}  // namespace dragoman::documents
