// SPDX-License-Identifier: Apache-2.0
#include "documents/bilingual/source_content.h"

#include <algorithm>
#include <array>
#include <utility>

#include "documents/is_one.h"
#include "documents/readers.h"
#include "documents/strings/icu_message.h"
#include "documents/strings/inline_tags.h"

namespace dragoman::documents {
namespace {

using markup::Token;
using markup::UnitBuilder;

constexpr std::array<std::string_view, 4> kPairs{"g", "pc", "mrk", "hi"};

bool holds_break(std::string_view code) {
    return code.find("&lt;br") != std::string_view::npos || code.find("<br") != std::string_view::npos;
}

bool holds_value(std::string_view text) {
    if (!text.empty() && text.front() == '<') text.remove_prefix(std::min(text.find('>'), text.size() - 1) + 1);
    const std::size_t end = text.rfind("</");
    text = text.substr(0, end);
    return text.find_first_of("{%$@") != std::string_view::npos && text.find("&lt;") == std::string_view::npos;
}

// Whether an inline code stands for a value, such as a name or a number, rather than for formatting.
bool shows_value(std::string_view source, const Token& token) {
    for (const std::string_view name : {"equiv-text", "equiv", "disp"})
        if (holds_value(attribute_of(source, token, name))) return true;
    return attribute_of(source, token, "id").starts_with("INTERPOLATION");
}

// Whether an inline code breaks the line between two words.
bool breaks_line(std::string_view source, const Token& token) {
    return attribute_of(source, token, "ctype") == "lb" || attribute_of(source, token, "type") == "lb" ||
           attribute_of(source, token, "subType") == "xlf:lb" ||
           attribute_of(source, token, "id").starts_with("LINE_BREAK");
}

UnitBuilder joining_builder() {
    UnitBuilder builder;
    builder.join_elements();
    return builder;
}

}  // namespace

bool is_segment(std::string_view source, const Token& token) {
    return local_name(token.name) == "mrk" && attribute_of(source, token, "mtype") == "seg";
}

void SourceContent::begin(const Token& token, bool preserve) {
    preserve_ = preserve;
    builder_ = joining_builder();
    segments_.clear();
    segment_depth_ = 0;
    content_ = {token.bytes.end, token.bytes.end};
    depth_ = 1;
}

bool SourceContent::take(std::string_view source, const Token& token) {
    if (token.kind == Token::Kind::start) {
        ++depth_;
        if (kept_ > 0) return false;
        const bool held = attribute_of(source, token, "translate") == "no" ||
                          attribute_of(source, token, "mtype") == "protected";
        if (token.self_closing || held || !is_one(kPairs, local_name(token.name))) begin_kept(source, token, held);
        else if (segment_depth_ == 0 && is_segment(source, token)) begin_segment(source, token);
        else open_.push_back(builder_.open(token.bytes));
    } else if (token.kind == Token::Kind::end) {
        if (--depth_ == 0) {
            content_.end = token.bytes.begin;
            return true;
        }
        if (kept_ == depth_ + 1) {
            end_kept(source, {kept_begin_, std::max(token.bytes.end, last_)});
        } else if (kept_ == 0 && segment_depth_ == depth_ + 1) {
            end_segment(token);
        } else if (kept_ == 0) {
            builder_.close(token.bytes, open_.back());
            open_.pop_back();
        }
    } else if (token.kind == Token::Kind::text && kept_ == 0) {
        add_text(source, token);
    } else if (token.kind == Token::Kind::reference && kept_ == 0) {
        if (is_blank_reference(text::part(source, token.bytes))) gap(token.bytes, ' ');
        else builder_.kept(token.bytes);  // what it stands for is the program's affair
    } else if (kept_ == 0) {
        builder_.point(token.bytes, false);
    }
    last_ = token.bytes.end;
    return false;
}

void SourceContent::begin_segment(std::string_view source, const Token& token) {
    segment_depth_ = depth_;
    around_ = std::exchange(builder_, joining_builder());
    segments_.push_back({{token.bytes.end, token.bytes.end}, attribute_of(source, token, "mid")});
}

void SourceContent::end_segment(const Token& token) {
    segment_depth_ = 0;
    segments_.back().bytes.end = token.bytes.begin;
    segments_.back().builder = std::exchange(builder_, std::move(around_));
}

void SourceContent::begin_kept(std::string_view source, const Token& token, bool held) {
    kept_ = depth_;
    kept_begin_ = token.bytes.begin;
    const std::string_view data = data_of(source, token);
    word_ = held || shows_value(source, token) || holds_value(data);
    break_ = breaks_line(source, token) || holds_break(data);
}

void SourceContent::end_kept(std::string_view source, Range whole) {
    kept_ = 0;
    if (word_ || holds_value(text::part(source, whole))) builder_.kept(whole);
    else if (break_ || holds_break(text::part(source, whole))) gap(whole);
    else builder_.point(whole, true);
}

std::vector<BilingualSegment> SourceContent::finish(std::string_view source, Units& units, bool messages,
                                                    const std::function<bool(const std::string& id)>& wanted) {
    if (segments_.empty()) segments_.push_back({content_, "", std::move(builder_)});
    std::vector<BilingualSegment> found;
    for (Segment& segment : segments_) {
        if (wanted && !wanted(segment.id)) continue;
        BilingualSegment own{.bytes = segment.bytes, .id = std::move(segment.id), .units = {units.units.size(), 0}};
        const std::string_view written = text::part(source, segment.bytes);
        const bool message = messages && !icu_forms(written).empty();
        own.message.text = message ? written : "";  // as it is written, which may hold inline codes
        if (!message || !add_value(units, own.message)) {
            own.message = {};
            segment.builder.finish(units);
            if (units.units.size() > own.units.begin) own.accelerator = take_accelerator(units, true);
        }
        own.units.end = units.units.size();
        if (own.units.size() > 0) found.push_back(std::move(own));
    }
    segments_.clear();
    return found;
}

std::string_view SourceContent::data_of(std::string_view source, const Token& token) const {
    const auto found = data.find(attribute_of(source, token, "dataRef"));
    return found != data.end() ? std::string_view(found->second) : std::string_view();
}

void SourceContent::gap(Range bytes, char divider) {
    gaps.insert(bytes.begin);
    builder_.gap(bytes, divider);
}

void SourceContent::add_lines(std::string_view source, Token part) {
    const std::size_t end = part.content.end;
    while (preserve_ && part.content == part.bytes && part.content.size() > 0) {
        const std::size_t line_end = source.find('\n', part.content.begin);
        if (line_end >= end) break;
        part.bytes.end = part.content.end = line_end;
        if (part.content.size() > 0) builder_.add_text(source, part, markup::xml_reference);
        gap({line_end, line_end + 1});
        part.bytes = part.content = {line_end + 1, end};
    }
    if (part.content.size() > 0) builder_.add_text(source, part, markup::xml_reference);
}

// Tags of another format, "&lt;b&gt;", are marks.
void SourceContent::add_text(std::string_view source, const Token& token) {
    std::vector<InlineTag> tags;
    if (token.content == token.bytes) tags = inline_tags(text::part(source, token.content), true);
    std::vector<std::size_t> opened(tags.size());
    Token part = token;
    const auto add_until = [&](std::size_t end) {
        if (token.content == token.bytes) part.bytes.end = part.content.end = end;
        add_lines(source, part);
    };
    for (InlineTag& tag : tags) {
        const Range bytes{token.content.begin + tag.bytes.begin, token.content.begin + tag.bytes.end};
        add_until(bytes.begin);
        if (tag.kind == InlineTag::Kind::word) builder_.kept(bytes);
        else if (tag.kind != InlineTag::Kind::pair) builder_.point(bytes, true);
        else if (tag.closes) builder_.close(bytes, opened[tag.other]);
        else opened[std::size_t(&tag - tags.data())] = builder_.open(bytes);
        part.bytes.begin = part.content.begin = bytes.end;
    }
    add_until(token.content.end);
}

}  // namespace dragoman::documents
