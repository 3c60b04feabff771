// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "markup/entities.h"
#include "markup/html_tokens.h"
#include "markup/project.h"
#include "markup/units.h"
#include "markup/write.h"

namespace dragoman::markup::test {

inline std::vector<Range> own_places(const Unit& unit) {
    std::vector<Range> places;
    for (const Mark& mark : unit.marks) places.push_back(mark.plain);
    return places;
}

// Every unit written anew from its own text, as if that were its translation.
inline std::string rewritten(std::string_view source, const Units& units, bool attributes) {
    std::vector<Edit> edits;
    for (const Unit& unit : units.units)
        if (attributes || !unit.attribute)
            edits.push_back(edit(unit, text::part(units.text, unit.plain), own_places(unit)));
    return splice(source, std::move(edits));
}

// Everything but text, in order, which a translation must leave alone.
inline std::vector<std::string> tags(std::string_view source) {
    std::vector<std::string> tags;
    HtmlTokenizer tokens(source);
    for (Token token; tokens.next(token);)
        if (token.kind != Token::Kind::text) tags.emplace_back(text::part(source, token.bytes));
    return tags;
}

// The characters of all texts, but for white space and NUL.
inline std::string letters(std::string_view source) {
    std::string letters;
    HtmlTokenizer tokens(source);
    for (Token token; tokens.next(token);) {
        if (token.kind != Token::Kind::text) continue;
        const std::string_view text = text::part(source, token.content);
        for (std::size_t at = 0; at < text.size();) {
            Reference found;
            if (text[at] == '&' && token.references) found = html_reference(text.substr(at), false);
            if (found.bytes == 0) found = {1, std::string(1, text[at])};
            for (const char c : found.text)
                if (c != '\0' && std::string_view(" \t\n\f\r").find(c) == std::string_view::npos) letters += c;
            at += found.bytes;
        }
    }
    return letters;
}

}  // namespace dragoman::markup::test
