// SPDX-License-Identifier: Apache-2.0
#include "serve/api/deepl/tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "serve/api/deepl/xml.h"
#include "serve/problem.h"

namespace serve::api {
namespace {

using DeeplTagKind = DeeplXmlToken::Kind;

constexpr std::size_t kDeeplLongestWord = 64;  // bytes of an ignored text that is a word of its sentence

bool deepl_named(const std::vector<std::string>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

bool deepl_is_letter(char c) {
    const unsigned char byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (byte >= '0' && byte <= '9') || ((byte | 32) >= 'a' && (byte | 32) <= 'z');
}

bool deepl_may_end_sentence(std::string_view text) { return text.find_first_of(".!?\n") != std::string_view::npos; }

}  // namespace

// Writes the HTML of a DeeplTags.
class DeeplTagWriter {
public:
    DeeplTagWriter(DeeplTags& tags, const DeeplXml& xml, const DeeplTagRules& rules)
        : tags_(tags), xml_(xml), rules_(rules), number_(xml.elements.size()) {
        inline_.resize(xml.elements.size());
        for (std::size_t i = 1; i < xml.elements.size(); ++i) inline_[i] = in_line(xml.elements[i]);
    }

    void write() {
        for (std::size_t i = 0; i < xml_.tokens.size(); ++i) {
            const DeeplXmlToken& token = xml_.tokens[i];
            switch (token.kind) {
                case DeeplTagKind::text: write_text(token); break;
                case DeeplTagKind::cdata: write_cdata(token); break;
                case DeeplTagKind::other: tags_.html_ += fmt::format("<!--{}-->", add(xml_.of(token))); break;
                case DeeplTagKind::empty:
                case DeeplTagKind::start: i = write_element(i); break;
                case DeeplTagKind::end: tags_.html_ += inline_[token.element] ? "</span>" : "</div>"; break;
            }
        }
    }

private:
    bool in_line(const DeeplXmlElement& element) const {
        if (deepl_named(rules_.splitting, element.name)) return false;
        if (deepl_named(rules_.joining, element.name) || !rules_.outline) return true;
        return xml_.elements[element.parent].has_text || inline_[element.parent];
    }

    std::size_t add(std::string_view begin, std::string_view end = {}) {
        tags_.pieces_.push_back({std::string(begin), std::string(end)});
        return tags_.pieces_.size() - 1;
    }

    std::string_view between(std::size_t first, std::size_t last) const {
        const std::size_t begin = xml_.tokens[first].begin;
        return xml_.text.substr(begin, xml_.tokens[last].begin + xml_.tokens[last].bytes - begin);
    }

    // Gives the last token that it has written.
    std::size_t write_element(std::size_t first) {
        const std::size_t index = xml_.tokens[first].element;
        const DeeplXmlElement& element = xml_.elements[index];
        const bool ignored = deepl_named(rules_.ignored, element.name);
        const bool hollow = element.last <= element.first + 1;
        if (ignored || hollow) {
            const std::size_t piece = add(between(first, element.last));
            const char* tag = !inline_[index] ? "hr" : ignored && is_word(first, element.last) ? "code" : "img";
            tags_.html_ += fmt::format("<{} id={}>", tag, piece);
            if (*tag == 'c') tags_.html_ += fmt::format("@{}</code>", piece);
            return element.last;
        }
        number_[index] = add(xml_.of(xml_.tokens[first]), xml_.of(xml_.tokens[element.last]));
        tags_.html_ += fmt::format("<{} id={}>", inline_[index] ? "span" : "div", number_[index]);
        return first;
    }

    // Whether an ignored element can be a word of its sentence.
    bool is_word(std::size_t first, std::size_t last) const {
        const std::size_t begin = xml_.tokens[first].begin, end = xml_.tokens[last].begin + xml_.tokens[last].bytes;
        if (begin > 0 && deepl_is_letter(xml_.text[begin - 1])) return false;
        if (end < xml_.text.size() && deepl_is_letter(xml_.text[end])) return false;
        std::size_t bytes = 0;
        for (std::size_t i = first; i <= last; ++i) {
            const DeeplXmlToken& token = xml_.tokens[i];
            if (token.kind != DeeplTagKind::text && token.kind != DeeplTagKind::cdata) continue;
            if (deepl_may_end_sentence(xml_.of(token))) return false;
            bytes += token.bytes;
        }
        return bytes <= kDeeplLongestWord;
    }

    // White space between elements stays; in a text, a line break ends a sentence where the rules say so.
    void write_text(const DeeplXmlToken& token) {
        const std::string_view text = xml_.of(token);
        const bool keeps = !rules_.lines || !(xml_.elements[token.element].has_text || inline_[token.element]);
        for (std::size_t i = 0; i < text.size();) {
            const std::size_t end = std::min(text.find_first_not_of(" \t\r\n", i), text.size());
            const std::string_view space = text.substr(i, end - i);
            if (!space.empty()) {
                if (keeps || space.find('\n') == std::string_view::npos) tags_.html_ += space;
                else tags_.html_ += fmt::format("<br id={}>", add(space));
                i = end;
                continue;
            }
            if (text[i] == '&') i = write_reference(text, i);
            else tags_.html_ += text[i++];
        }
    }

    // What no HTML reader knows is a name that the document declares: it stays as a word.
    std::size_t write_reference(std::string_view text, std::size_t at) {
        const std::size_t end = text.find_first_of("; \t\r\n&", at + 1);
        const std::string_view name = end == std::string_view::npos ? "" : text.substr(at + 1, end - at - 1);
        if (end == std::string_view::npos || text[end] != ';' || name.empty()) {
            tags_.html_ += "&amp;";
            return at + 1;
        }
        const std::string_view whole = text.substr(at, end + 1 - at);
        static constexpr std::string_view known[] = {"amp", "lt", "gt", "quot", "apos", "nbsp"};
        if (name.front() == '#' || std::ranges::find(known, name) != std::end(known)) {
            tags_.html_ += whole;
        } else {
            const std::size_t piece = add(whole);
            tags_.html_ += fmt::format("<code id={}>@{}</code>", piece, piece);
        }
        return end + 1;
    }

    void write_cdata(const DeeplXmlToken& token) {
        constexpr std::size_t begin = std::string_view("<![CDATA[").size(), end = std::string_view("]]>").size();
        for (const char c : xml_.of(token).substr(begin, token.bytes - begin - end)) {
            if (c == '&') tags_.html_ += "&amp;";
            else if (c == '<') tags_.html_ += "&lt;";
            else if (c == '>') tags_.html_ += "&gt;";
            else tags_.html_ += c;
        }
    }

    DeeplTags& tags_;
    const DeeplXml& xml_;
    const DeeplTagRules& rules_;
    std::vector<std::size_t> number_;  // of each element's piece
    std::vector<bool> inline_;
};

DeeplTags::DeeplTags(std::string_view xml, const DeeplTagRules& rules, std::string_view field) {
    const DeeplXml read = deepl_read_xml(xml, field);
    DeeplTagWriter(*this, read, rules).write();
}

std::string DeeplTags::restored(std::string_view translated) const {
    std::string xml;
    std::vector<std::size_t> open, seen(pieces_.size());
    const auto lost = [](const std::string& what) {
        throw Problem(Problem::Kind::failed, "the translation's tags do not match the text's: " + what);
    };
    for (std::size_t i = 0; i < translated.size();) {
        if (translated[i] != '<') {
            xml += translated[i++];
            continue;
        }
        const std::string_view rest = translated.substr(i);
        if (rest.starts_with("</")) {
            if (open.empty()) lost("one is closed that was not open");
            xml += pieces_[open.back()].end;
            open.pop_back();
            i += std::min(rest.find('>'), rest.size() - 1) + 1;
            continue;
        }
        const bool comment = rest.starts_with("<!--");
        const std::size_t digits = comment ? 4 : rest.find('=') + 1;
        std::size_t number = pieces_.size();
        const auto [end, error] = std::from_chars(rest.data() + std::min(digits, rest.size()),
                                                  rest.data() + rest.size(), number);
        if (error != std::errc() || number >= pieces_.size()) lost("one is not known");
        ++seen[number];
        xml += pieces_[number].begin;
        if (rest.starts_with("<span ") || rest.starts_with("<div ")) open.push_back(number);
        const std::string_view last = rest.starts_with("<code ") ? "</code>" : comment ? "-->" : ">";
        const std::size_t at = rest.find(last);
        if (at == std::string_view::npos) lost("one never ends");
        i += at + last.size();
    }
    if (!open.empty()) lost("one is not closed");
    for (std::size_t i = 0; i < pieces_.size(); ++i)
        if (seen[i] != 1) lost(fmt::format("{} is there {} times", pieces_[i].begin, seen[i]));
    return xml;
}

}  // namespace serve::api
