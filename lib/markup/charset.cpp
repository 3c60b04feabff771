// SPDX-License-Identifier: Apache-2.0
#include "markup/charset.h"

#include "markup/ascii.h"
#include "markup/html_tokens.h"

namespace dragoman::markup {
namespace {

constexpr std::size_t kSearched = 4096;  // bytes; browsers look at the first 1024

std::string lowered(std::string_view text) {
    std::string result;
    for (const char c : text) result += lower(c);
    return result;
}

// The value after `name` and "=" in a text in lower case, with quotes or without.
std::string value_of(std::string_view text, std::string_view name) {
    std::size_t at = text.find(name);
    if (at == text.npos) return {};
    at = text.find_first_not_of(" \t\n\f\r", at + name.size());
    if (at == text.npos || text[at] != '=') return {};
    at = text.find_first_not_of(" \t\n\f\r", at + 1);
    if (at == text.npos) return {};
    const bool quoted = text[at] == '"' || text[at] == '\'';
    const std::size_t begin = at + quoted;
    const std::size_t end = quoted ? text.find(text[at], begin) : text.find_first_of(" \t\n\f\r;>?", begin);
    return std::string(text.substr(begin, end == text.npos ? end : end - begin));
}

std::string of_meta(std::string_view source) {
    HtmlTokenizer tokens(source);
    for (Token token; tokens.next(token);) {
        if (token.kind != Token::Kind::start || token.name != "meta") continue;
        if (const Attribute* charset = token.attribute("charset")) return lowered(text::part(source, charset->value));
        const Attribute* type = token.attribute("http-equiv");
        const Attribute* content = token.attribute("content");
        if (!type || !content || lowered(text::part(source, type->value)) != "content-type") continue;
        if (std::string named = value_of(lowered(text::part(source, content->value)), "charset"); !named.empty())
            return named;
    }
    return {};
}

}  // namespace

std::string declared_charset(std::string_view source, bool html) {
    source = source.substr(0, kSearched);
    if (source.starts_with("\xef\xbb\xbf")) return "utf-8";
    if (source.starts_with("\xff\xfe")) return "utf-16le";
    if (source.starts_with("\xfe\xff")) return "utf-16be";
    if (source.starts_with("<?xml")) {
        const std::string declaration = lowered(source.substr(0, source.find("?>")));
        if (std::string named = value_of(declaration, "encoding"); !named.empty()) return named;
    }
    return html ? of_meta(source) : std::string();
}

bool is_utf8_name(std::string_view charset) {
    return charset.empty() || charset == "utf-8" || charset == "utf8" || charset == "us-ascii" || charset == "ascii";
}

}  // namespace dragoman::markup
