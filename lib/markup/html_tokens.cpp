// SPDX-License-Identifier: Apache-2.0
#include "markup/html_tokens.h"

#include <algorithm>
#include <array>

#include "markup/ascii.h"

namespace dragoman::markup {
namespace {

bool ends_name(char c) { return is_blank(c) || c == '/' || c == '>'; }

}  // namespace

std::size_t HtmlTokenizer::find(std::string_view what, std::size_t from) const {
    return std::min(source_.find(what, from), source_.size());
}

// A "<" that begins no tag is text.
bool HtmlTokenizer::tag_opens(std::size_t place) const {
    const char next = at(place + 1);
    if (is_letter(next) || next == '!' || next == '?') return true;
    return next == '/' && place + 2 < source_.size();
}

bool HtmlTokenizer::is_tag_named(std::size_t name_begin, std::string_view name) const {
    const std::size_t end = name_begin + name.size();
    return end < source_.size() && equal_ignoring_case(source_.substr(name_begin, name.size()), name) &&
           ends_name(source_[end]);
}

bool HtmlTokenizer::is_end_tag(std::size_t place) const {
    return at(place) == '<' && at(place + 1) == '/' && is_tag_named(place + 2, raw_name_);
}

// Follows the states of script data: in "<!-- <script>", "</script>" ends the inner one.
std::size_t HtmlTokenizer::script_end() const {
    enum { plain, escaped, twice } state = plain;
    for (std::size_t i = place_; i < source_.size(); ++i) {
        const std::string_view rest = source_.substr(i);
        if (rest.front() == '-' && state != plain && rest.starts_with("-->")) state = plain;
        if (rest.front() != '<') continue;
        if (state == plain && rest.starts_with("<!--")) {
            state = escaped;
            i += 1;  // the dashes may belong to "-->", too
        } else if (state == escaped && is_tag_named(i + 1, "script")) {
            state = twice;
        } else if (is_end_tag(i)) {
            if (state != twice) return i;
            state = escaped;
        }
    }
    return source_.size();
}

bool HtmlTokenizer::next(Token& token) {
    token.attributes.clear();
    token.name.clear();
    token.references = true;
    token.self_closing = false;
    if (place_ >= source_.size()) return false;
    const Content content = content_;
    content_ = Content::data;
    std::size_t end = place_;
    switch (content) {
        case Content::data:
            end = find("<", end);
            while (end < source_.size() && !tag_opens(end)) end = find("<", end + 1);
            break;
        case Content::rcdata:
        case Content::raw:
            end = find("</", end);
            while (end < source_.size() && !is_end_tag(end)) end = find("</", end + 1);
            break;
        case Content::script: end = script_end(); break;
        case Content::plain: end = source_.size(); break;
    }
    token.references = content == Content::data || content == Content::rcdata;
    if (end > place_) read_text(token, end);
    else read_markup(token);
    return true;
}

void HtmlTokenizer::read_text(Token& token, std::size_t end) {
    token.kind = Token::Kind::text;
    token.bytes = token.content = {place_, end};
    place_ = end;
}

void HtmlTokenizer::read_markup(Token& token) {
    const std::size_t begin = place_;
    const std::string_view rest = source_.substr(begin);
    if (is_letter(at(begin + 1)) || (at(begin + 1) == '/' && is_letter(at(begin + 2)))) return read_tag(token);
    if (foreign_ && rest.starts_with("<![CDATA[")) return read_cdata(token);
    std::size_t end = 0;
    if (rest.starts_with("<!-->")) end = begin + 5;
    else if (rest.starts_with("<!--->")) end = begin + 6;
    else if (rest.starts_with("<!--")) {
        end = find("--", begin + 4);
        while (end < source_.size() && at(end + 2) != '>' && (at(end + 2) != '!' || at(end + 3) != '>'))
            end = find("--", end + 1);
        end = find(">", end) + 1;
    } else {
        end = find(">", begin) + 1;  // a doctype, or a comment in disguise
    }
    token.kind = Token::Kind::other;
    token.bytes = {begin, std::min(end, source_.size())};
    place_ = token.bytes.end;
}

void HtmlTokenizer::read_cdata(Token& token) {
    constexpr std::size_t kOpening = 9;
    const std::size_t end = find("]]>", place_ + kOpening);
    token.kind = Token::Kind::text;
    token.references = false;
    token.content = {place_ + kOpening, end};
    token.bytes = {place_, std::min(end + 3, source_.size())};
    place_ = token.bytes.end;
}

void HtmlTokenizer::read_tag(Token& token) {
    const bool closes = at(place_ + 1) == '/';
    const std::size_t begin = place_;
    std::size_t i = begin + (closes ? 2 : 1);
    while (i < source_.size() && !ends_name(source_[i])) token.name += lower(source_[i++]);
    while (read_attribute(token, i)) {}
    token.kind = closes ? Token::Kind::end : Token::Kind::start;
    if (i >= source_.size()) {  // a tag that does not end is dropped
        token.kind = Token::Kind::other;
        token.attributes.clear();
        i = source_.size();
    } else {
        const bool in_value = !token.attributes.empty() && token.attributes.back().value.end == i;
        token.self_closing = source_[i - 1] == '/' && !in_value;
        ++i;
    }
    token.bytes = {begin, i};
    place_ = i;
    if (token.kind == Token::Kind::start && !foreign_) {
        content_ = content_of(token.name);
        raw_name_ = token.name;
    }
}

// Returns false at the tag's ">", or at the end of the text.
bool HtmlTokenizer::read_attribute(Token& token, std::size_t& place) const {
    const auto skip_blanks = [&] {
        while (place < source_.size() && is_blank(source_[place])) ++place;
    };
    while (place < source_.size() && (is_blank(source_[place]) || source_[place] == '/')) ++place;
    if (place >= source_.size() || source_[place] == '>') return false;
    Attribute attribute;
    do attribute.name += lower(source_[place++]);  // "=" may be the first
    while (place < source_.size() && !ends_name(source_[place]) && source_[place] != '=');
    skip_blanks();
    attribute.value = {place, place};
    if (at(place) == '=') {
        ++place;
        skip_blanks();
        if (const char quote = at(place); quote == '"' || quote == '\'') {
            attribute.quote = quote;
            attribute.value = {place + 1, find({&quote, 1}, place + 1)};
            place = attribute.value.end + 1;
        } else {
            const std::size_t begin = place;
            while (place < source_.size() && !is_blank(source_[place]) && source_[place] != '>') ++place;
            attribute.value = {begin, place};
        }
    }
    token.attributes.push_back(std::move(attribute));
    return true;
}

HtmlTokenizer::Content HtmlTokenizer::content_of(std::string_view name) const {
    constexpr std::array<std::string_view, 6> kRaw = {"style", "xmp", "iframe", "noembed", "noframes", "noscript"};
    if (name == "title" || name == "textarea") return Content::rcdata;
    if (name == "script") return Content::script;
    if (name == "plaintext") return Content::plain;
    return std::ranges::find(kRaw, name) != kRaw.end() ? Content::raw : Content::data;
}

}  // namespace dragoman::markup
