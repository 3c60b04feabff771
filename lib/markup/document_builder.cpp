// SPDX-License-Identifier: Apache-2.0
#include "markup/document_builder.h"

#include "markup/ascii.h"
#include "text/language_rules.h"

namespace dragoman::markup {
namespace {

Reference in_html(std::string_view text) { return html_reference(text, false); }
Reference in_html_attribute(std::string_view text) { return html_reference(text, true); }

constexpr std::size_t kLongestLiteral = 64;  // bytes

// Whether a kept text can be part of a sentence: neither its marks nor its blanks may end or divide the sentence.
bool is_literal(std::string_view text) {
    constexpr std::string_view kEnds = ".!?:;";
    if (text.empty() || text.size() > kLongestLiteral || text.front() == ' ' || text.back() == ' ') return false;
    if (text.find('|') != text.npos || kEnds.find(text.back()) != kEnds.npos) return false;
    for (std::size_t blank = text.find(' '); blank != text.npos; blank = text.find(' ', blank + 1))
        if (kEnds.find(text[blank - 1]) != kEnds.npos) return false;
    for (std::size_t at = 0; at < text.size();)
        if (const int32_t c = text::next_character(text, at); c < 0x20 || (c >= 0x2026 && c <= 0x2029) || c == 0x3002)
            return false;
    return true;
}

bool has_word(std::string_view list, std::string_view word) {
    for (std::size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || is_blank(list[at - 1])) && (end == list.size() || is_blank(list[end]))) return true;
    }
    return false;
}

// "en" for "en-US" and "eng_Latn", and the first part of an unknown code.
std::string primary(std::string_view code) {
    std::string known = text::primary_language(code);
    if (!known.empty()) return known;
    for (const char c : code.substr(0, code.find_first_of("-_"))) known += lower(c);
    return known;
}

}  // namespace

DocumentBuilder::DocumentBuilder(std::string_view source, std::string_view language, Literals literals, bool html)
    : source_(source), literals_(literals), html_(html), language_(primary(language)) {
    builders_.emplace_back(literals);
}

std::string DocumentBuilder::language_of(const Token& tag) const {
    const Attribute* attribute = tag.attribute("xml:lang");
    if (!attribute) attribute = tag.attribute("lang");
    return attribute ? primary(text::part(source_, attribute->value)) : std::string();
}

bool DocumentBuilder::in_other_language(const Token& tag) const {
    if (language_.empty() && language_of_root_.empty()) return false;
    const std::string own = language_of(tag);
    return !own.empty() && own != language_ && own != language_of_root_;
}

bool DocumentBuilder::is_excluded(const Token& tag) const {
    const Attribute* translate = tag.attribute("translate");
    if (!translate) translate = tag.attribute("its:translate");
    if (translate && equal_ignoring_case(text::part(source_, translate->value), "no")) return true;
    const Attribute* classes = tag.attribute("class");
    if (classes && has_word(text::part(source_, classes->value), "notranslate")) return true;
    return in_other_language(tag);
}

void DocumentBuilder::text(const Token& token) {
    if (skipping_) hold(token);
    else builders_.back().add_text(source_, token, html_ ? in_html : xml_reference);
}

// Holds the text of a kept element, until it is too long for a sentence.
void DocumentBuilder::hold(const Token& token) {
    const std::string_view text = text::part(source_, token.content);
    for (std::size_t at = 0; at < text.size() && held_.size() <= kLongestLiteral;) {
        Reference found;
        if (token.references && text[at] == '&') found = (html_ ? in_html : xml_reference)(text.substr(at));
        if (found.bytes == 0) found = {1, std::string(1, is_blank(text[at]) ? ' ' : text[at])};
        const bool blank = found.text == " " && held_.ends_with(' ');
        if (!blank) held_ += found.text;
        at += found.bytes;
    }
}

void DocumentBuilder::take_literal(Range bytes, std::string_view text) {
    if (literals_ == Literals::named) builders_.back().kept(bytes, /*code=*/true);
    else builders_.back().literal(bytes, text);
}

std::string DocumentBuilder::literal_of(const OpenElement& element) const {
    const bool formula = element.name == "math";
    const bool text = formula || ((element.role.literal || !element.role.kept) && only_text_);
    if (literals_ == Literals::as_points || !text || !is_literal(held_)) return {};
    return held_;
}

void DocumentBuilder::point(Range bytes, bool seen) {
    if (!skipping_) builders_.back().point(bytes, seen);
    else only_text_ = only_text_ && !seen;
}

void DocumentBuilder::stray(const Token& token, bool in_line) {
    if (skipping_) return;
    if (in_line) builders_.back().loose(token.bytes);
    else end_unit();
}

void DocumentBuilder::begin(const Token& tag, OpenElement& element) {
    if (root_ && (!html_ || tag.name == "html")) language_of_root_ = language_of(tag);
    root_ = false;
    element.begin = tag.bytes.begin;
    element.in_kept = skipping_;
    if (skipping_) {
        only_text_ = only_text_ && element.role.place == Place::in_line && (element.role.literal || !element.role.kept);
        return;
    }
    const bool excluded = is_excluded(tag);
    if (element.role.place == Place::block) end_unit();
    if (!excluded) add_attributes(tag);
    if (!excluded) note_language(tag);
    element.text_only = element.foreign || is_text_only(tag.name);
    text_only_ += element.text_only;
    element.kept = excluded || element.role.kept;
    if (element.kept) {
        skipping_ = only_text_ = true;
        held_.clear();
    } else if (element.role.place == Place::island) {
        element.builder = builders_.size();
        builders_.emplace_back(literals_);
    } else if (element.role.place == Place::in_line) {
        element.builder = builders_.size() - 1;
        element.unit = builders_.back().number();
        element.opened = builders_.back().open(tag.bytes, script_of(tag.name));
    }
}

void DocumentBuilder::alone(const Token& tag, const ElementRole& role) {
    if (skipping_) only_text_ = only_text_ && !role.seen;
    if (skipping_) return;
    if (!is_excluded(tag)) {
        add_attributes(tag);
        note_language(tag);
    }
    if (role.place == Place::block) end_unit();
    else point(tag.bytes, role.seen);
}

void DocumentBuilder::end_unit() {
    const std::size_t known = units_.units.size();
    builders_.back().finish(units_);
    for (std::size_t i = known; i < units_.units.size(); ++i) units_.units[i].text_only = text_only_ > 0;
}

void DocumentBuilder::end(const OpenElement& element, Range bytes) {
    leave(element, bytes);
    text_only_ -= element.text_only;
}

void DocumentBuilder::leave(const OpenElement& element, Range bytes) {
    if (element.in_kept || (skipping_ && !element.kept)) return;
    if (element.kept) skipping_ = false;
    if (element.role.place == Place::block) return end_unit();
    if (element.kept && element.role.place == Place::in_line)
        if (const std::string literal = literal_of(element); !literal.empty())
            return take_literal({element.begin, bytes.end}, literal);
    if (element.kept) return point({element.begin, bytes.end}, element.role.seen);
    if (element.role.place == Place::island) {
        for (; builders_.size() > element.builder; builders_.pop_back()) end_unit();
        return point({element.begin, bytes.end}, true);
    }
    UnitBuilder& builder = builders_.back();
    const bool here = element.builder == builders_.size() - 1;
    const bool in_unit = here && element.unit == builder.number();
    if (bytes.size() == 0) {
        if (in_unit) builder.ends_untold(element.opened);
    } else if (here) {
        builder.close(bytes, in_unit ? element.opened : kNoMark);
    } else {
        builder.loose(bytes);
    }
}

void DocumentBuilder::add_attributes(const Token& tag) {
    if (!html_) return;
    for (const Attribute& attribute : tag.attributes) {
        if (!is_text(tag, attribute, source_) || tag.attribute(attribute.name) != &attribute) continue;
        UnitBuilder builder;
        const std::size_t known = units_.units.size();
        builder.add_text(source_, {.bytes = attribute.value, .content = attribute.value}, in_html_attribute);
        builder.finish(units_);
        if (units_.units.size() == known) continue;
        Unit& unit = units_.units.back();
        unit.attribute = true;
        unit.quote = attribute.quote;
        if (attribute.quote == 0) unit.bytes = attribute.value;
    }
}

// The element's own language is translated, otherwise it would be kept.
void DocumentBuilder::note_language(const Token& tag) {
    LanguagePlaces& places = units_.languages;
    bool says_language = false;
    const auto note = [](const Attribute* attribute, std::vector<Range>& values) {
        if (!attribute) return false;
        if (attribute->quote != 0 || attribute->value.size() > 0) values.push_back(attribute->value);
        return true;
    };
    for (const char* name : {"lang", "xml:lang"}) says_language |= note(tag.attribute(name), places.languages);
    if (!html_) return;
    const Attribute* pragma = tag.name == "meta" ? tag.attribute("http-equiv") : nullptr;
    if (pragma && equal_ignoring_case(text::part(source_, pragma->value), "content-language"))
        note(tag.attribute("content"), places.languages);
    const bool page = tag.name == "html";
    const bool may_turn = page || tag.name == "body" || says_language;
    const bool says_direction = may_turn && note(tag.attribute("dir"), places.directions);
    if (!page || places.page.size() > 0) return;
    const std::size_t begin = tag.bytes.begin + 1;
    std::size_t end = begin;
    while (end < tag.bytes.end && !is_blank(source_[end]) && source_[end] != '>' && source_[end] != '/') ++end;
    places.page = {begin, end};
    places.page_says_language = says_language;
    places.page_says_direction = says_direction;
}

Units DocumentBuilder::finish() {
    for (; !builders_.empty(); builders_.pop_back()) end_unit();
    return std::move(units_);
}

}  // namespace dragoman::markup
