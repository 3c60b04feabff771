// SPDX-License-Identifier: Apache-2.0
// Formats that lib/markup reads, and plain text.
#include <algorithm>

#include "base/error.h"
#include "documents/readers.h"
#include "markup/languages.h"
#include "markup/xml_tokens.h"

namespace dragoman::documents {
namespace {

bool is_blank_line(std::string_view line) { return line.find_first_not_of(" \t\r\f\v") == std::string_view::npos; }

std::string same(std::string_view text) { return std::string(text); }

// A page says its new language.
PartPtr page(std::string source, Units units, const Languages& languages) {
    std::vector<markup::Edit> edits = markup::language_edits(source, units.languages, languages.target);
    auto part = std::make_unique<SplicedPart>(std::move(source), std::move(units));
    part->replace(std::move(edits));
    return part;
}

}  // namespace

// Paragraphs end at a blank line; each has its lines.
PartPtr read_text(std::string source) {
    Units units;
    std::size_t begin = source.starts_with("\xEF\xBB\xBF") ? 3 : 0, end = begin;
    const auto flush = [&](std::size_t next) {
        const std::string_view text = std::string_view(source).substr(begin, end - begin);
        if (is_translated(text)) add_unit(units, {begin, end}, text);
        begin = end = next;
    };
    for (std::size_t at = begin; at < source.size();) {
        const std::size_t line_end = std::min(source.find('\n', at), source.size());
        const std::size_t next = std::min(line_end + 1, source.size());
        if (is_blank_line(std::string_view(source).substr(at, line_end - at))) flush(next);
        else end = line_end;
        at = next;
    }
    flush(source.size());
    return std::make_unique<NotatedPart>(std::move(source), std::move(units), same);
}

PartPtr read_html(std::string source, const Languages& languages) {
    Units units = markup::html_units(source, languages.source, markup::Literals::named);
    return page(std::move(source), std::move(units), languages);
}

PartPtr read_xhtml(std::string source, const Languages& languages, std::string_view name) {
    read_xml(source, name, false, [](const markup::Token&) {});  // refuses what is broken
    Units units = markup::xml_units(source, languages.source, markup::Literals::named);
    return page(std::move(source), std::move(units), languages);
}

void read_xml(std::string_view source, std::string_view name, bool plain,
              const std::function<void(const markup::Token&)>& take) {
    std::size_t depth = 0, deepest = 0;
    bool typed = false;
    std::exception_ptr error;  // must not pass through expat
    const auto watch = [&](const markup::Token& token) {
        if (token.kind == markup::Token::Kind::start) deepest = std::max(deepest, ++depth);
        if (token.kind == markup::Token::Kind::end) --depth;
        typed = typed ||
                (token.kind == markup::Token::Kind::other && text::part(source, token.bytes).starts_with("<!DOCTYPE"));
        if (error || deepest > kMaxDepth || (plain && typed)) return;
        try {
            take(token);
        } catch (...) {
            error = std::current_exception();
        }
    };
    try {
        markup::xml_tokens(source, watch);
    } catch (const Error& broken) {
        fail(broken.status(), "{}: {}", name, broken.what());
    }
    if (error) std::rethrow_exception(error);
    if (plain && typed) fail(Status::invalid_argument, "{}: expected no document type, got <!DOCTYPE", name);
    if (deepest > kMaxDepth)
        fail(Status::invalid_argument, "{}: expected at most {} elements within each other, got {}", name, kMaxDepth,
             deepest);
}

}  // namespace dragoman::documents
