// SPDX-License-Identifier: Apache-2.0
// Android's strings.xml: <string>, and the items of <plurals> and <string-array>.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "documents/strings/inline_items.h"
#include "documents/xml_units.h"
#include "markup/ascii.h"
#include "markup/entities.h"

namespace dragoman::documents {
namespace {

using markup::Token;
using markup::UnitBuilder;

Role role_in_resources(const Token& tag, std::string_view name, bool in_paragraph, std::string_view source) {
    if (attribute_of(source, tag, "translatable") == "false" || attribute_of(source, tag, "translate") == "no")
        return Role::point;
    if (in_paragraph) return name == "g" ? Role::word : Role::in_line;
    if (name == "style" || name == "declare-styleable" || name == "attr") return Role::point;  // their items are values
    const std::string type = name == "item" ? attribute_of(source, tag, "type") : std::string();
    const bool value = !type.empty() && type != "string";
    return name == "string" || (name == "item" && !value) ? Role::paragraph : Role::outside;
}

// Whether a string is the name of another resource: "@string/app_name", "?attr/title", "@null".
bool is_resource(std::string_view text) {
    const Range inner = text::trim(text, {0, text.size()});
    text = text::part(text, inner);
    if (text.size() < 2 || (text[0] != '@' && text[0] != '?')) return false;
    return std::ranges::all_of(text.substr(1), [](char c) {
        return markup::is_letter(c) || (c >= '0' && c <= '9') ||
               std::string_view("_.:/+*-").find(c) != std::string_view::npos;
    });
}

// Takes one text after the other to units, with the marks, placeholders and escapes inside.
class TextReader {
public:
    TextReader(std::string_view source, UnitBuilder& unit, std::set<std::size_t>& gaps)
        : source_(source), unit_(unit), gaps_(gaps) {}

    void read(Range text, bool cdata) {
        cdata_ = cdata;
        percent_ = text::part(source_, text).find("%%") != std::string_view::npos;
        find(text);
        std::size_t at = text.begin;
        for (const auto& [begin, item] : items_) {
            if (begin < at) continue;
            words({at, begin});
            at = item.tag ? put(*item.tag) : item.end;
            if (!item.tag) unit_.kept({begin, item.end});
        }
        words({at, text.end});
    }
    // Whether a CDATA section has anything besides tags and placeholders.
    bool has_words(Range text) {
        cdata_ = true;
        find(text);
        std::string own(text::part(source_, text));
        for (const auto& [begin, item] : items_)
            std::fill(own.begin() + std::ptrdiff_t(begin - text.begin),
                      own.begin() + std::ptrdiff_t(item.end - text.begin), ' ');
        return has_letter(own);
    }

private:
    static bool is_placeholder(std::string_view word) { return word.front() == '{' || word.front() == '$'; }
    void find(Range text) {
        items_ = inline_items(text::part(source_, text), text.begin, !cdata_, is_placeholder, tags_);
    }
    std::size_t put(const InlineTag& tag) {
        const auto number = std::size_t(&tag - tags_.data());
        if (tag.kind == InlineTag::Kind::word) unit_.kept(tag.bytes);
        else if (tag.kind == InlineTag::Kind::divides) gap(tag.bytes);
        else if (tag.kind == InlineTag::Kind::point) unit_.point(tag.bytes, true);
        else if (tag.closes && !opened_.contains(tag.other)) unit_.loose(tag.bytes);
        else if (tag.closes) unit_.close(tag.bytes, opened_[tag.other]);
        else opened_[number] = unit_.open(tag.bytes);
        return tag.bytes.end;
    }
    void gap(Range bytes, char divider = '\n') {
        gaps_.insert(bytes.begin);
        unit_.gap(bytes, divider);
    }

    void words(Range range) {
        std::size_t done = range.begin;
        for (std::size_t at = range.begin; at < range.end;) {
            const char c = source_[at];
            const bool percent = percent_ && source_.substr(at, 2) == "%%";
            const std::size_t size = c == '\\' ? escape_size(at, range.end) : percent ? 2 : c == '"';
            if (size == 0) {
                ++at;
                continue;
            }
            plain({done, at});
            const Range bytes{at, std::min(at + size, range.end)};
            done = at = bytes.end;
            if (c == '%') unit_.add("%", bytes);
            else if (c == '"' && cdata_) unit_.add("\"", bytes);
            else if (c == '"') unit_.point(bytes, false);
            else escape(bytes);
        }
        plain({done, range.end});
    }
    void plain(Range range) {
        if (range.size() == 0) return;
        const Token token{.kind = Token::Kind::text, .bytes = range, .content = range};
        if (cdata_)
            unit_.add_text(source_, token, [](std::string_view at) { return markup::html_reference(at, false); });
        else unit_.add_text(source_, token, markup::xml_reference);
    }
    std::size_t escape_size(std::size_t at, std::size_t end) const {
        const bool number = at + 6 <= end && source_[at + 1] == 'u';
        if (!number) return std::min<std::size_t>(2, end - at);
        const bool high = (unit_at(at) & 0xfc00) == 0xd800;
        const bool pair = high && at + 12 <= end && (unit_at(at + 6) & 0xfc00) == 0xdc00;
        return pair ? 12 : 6;
    }
    // The value of "\\uD83D"; 0: it is none.
    uint32_t unit_at(std::size_t at) const {
        const std::string_view digits = source_.substr(at + 2, 4);
        uint32_t value = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
        return source_.substr(at).starts_with("\\u") && read.ptr == digits.data() + 4 ? value : 0;
    }
    void escape(Range bytes) {
        const char c = bytes.size() > 1 ? source_[bytes.begin + 1] : '\\';
        if (c == 'u' && bytes.size() == 6) {
            const markup::Reference found =
                markup::html_reference("&#x" + std::string(source_.substr(bytes.begin + 2, 4)) + ";", false);
            if (found.text == "\xC2\xA0") return gap(bytes, ' ');
            if (found.bytes > 0) return unit_.add(found.text, bytes);
        }
        if (c == 'u' && bytes.size() == 12) {
            const uint32_t high = unit_at(bytes.begin), low = unit_at(bytes.begin + 6);
            const std::string number = fmt::format("&#x{:x};", 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
            return unit_.add(markup::html_reference(number, false).text, bytes);
        }
        if (c == 'n' || c == 't') gap(bytes, c == 't' ? '\t' : '\n');
        else unit_.add(std::string(1, c), bytes);
    }

    const std::string_view source_;
    UnitBuilder& unit_;
    std::set<std::size_t>& gaps_;
    bool cdata_ = false, percent_ = false;
    std::vector<InlineTag> tags_;
    std::map<std::size_t, InlineItem> items_;
    std::map<std::size_t, std::size_t> opened_;
};

// A CDATA section with words is a text of its own, which programs read as HTML.
void read_resource(std::string_view source, const Token& token, UnitBuilder& unit, Units& units,
                   std::set<std::size_t>& gaps) {
    TextReader reader(source, unit, gaps);
    if (token.content == token.bytes) {
        if (!is_resource(text::part(source, token.content))) reader.read(token.content, false);
        return;
    }
    UnitBuilder own;
    own.join_elements();
    TextReader inner(source, own, gaps);
    if (inner.has_words(token.content)) {
        unit.point(token.bytes, true);
        inner.read(token.content, true);
        own.finish(units);
    } else {
        unit.kept(token.bytes);
    }
}

// Quotation marks, apostrophes and backslashes are escaped, and percent signs where the string is a format.
std::string written_resource(std::string_view text, std::string_view replaced) {
    const bool percent = replaced.find("%%") != std::string_view::npos;
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool first = at == 0 && (text[at] == '@' || text[at] == '?');
        if (first || text[at] == '\'' || text[at] == '"' || text[at] == '\\') result += '\\';
        if (percent && text[at] == '%') result += '%';
        result += text[at];
    }
    return result;
}

constexpr TextNotation kResources{read_resource, written_resource};

}  // namespace

PartPtr read_android(std::string source) {
    const std::string copy = source;
    return read_xml_units(
        std::move(source), "document", false,
        [&](const Token& tag, std::string_view name, bool in_paragraph) {
            return role_in_resources(tag, name, in_paragraph, copy);
        },
        &kResources);
}

}  // namespace dragoman::documents
