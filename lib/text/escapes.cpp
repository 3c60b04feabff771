// SPDX-License-Identifier: Apache-2.0
#include "text/escapes.h"

#include <algorithm>

#include "text/characters.h"

namespace dragoman::text {

std::size_t line_escapes_end(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end + 1 < text.size() && text[end] == '\\' && std::string_view("nrt").find(text[end + 1]) != text.npos)
        end += 2;
    if (end == at) return at;
    std::size_t behind = end, before = at;
    const int32_t next = next_character(text, behind);
    if (is_lower(next) || next == '_' || next == '\\') return at;
    // A path has no blank before its bars: "C:\News", "\\server\Texts".
    while (before > 0 && !is_space(text[before - 1])) --before;
    const std::string_view word = text.substr(before, at - before);
    const bool drive = word.size() > 1 && word[1] == ':' && (word.size() == 2 || word[2] == '\\');
    const bool path = drive || word.find('\\') != word.npos;
    return path ? at : end;
}

}  // namespace dragoman::text
