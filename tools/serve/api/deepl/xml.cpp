// SPDX-License-Identifier: Apache-2.0
#include "serve/api/deepl/xml.h"

#include <fmt/format.h>

#include "serve/problem.h"

namespace serve::api {
namespace {

using DeeplXmlKind = DeeplXmlToken::Kind;

constexpr std::size_t kDeeplDeepest = 500;

bool deepl_is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

class DeeplXmlReader {
public:
    DeeplXmlReader(std::string_view text, std::string_view field) : text_(text), field_(field) {
        xml_.text = text;
        xml_.elements.emplace_back();
        open_.push_back(0);
    }

    DeeplXml read() {
        for (std::size_t at = 0; at < text_.size();) at = text_[at] == '<' ? read_tag(at) : read_text(at);
        if (open_.size() > 1) {
            const DeeplXmlElement& element = xml_.elements[open_.back()];
            wrong(xml_.tokens[element.first].begin, fmt::format("<{}> is never closed", element.name));
        }
        return std::move(xml_);
    }

private:
    [[noreturn]] void wrong(std::size_t byte, const std::string& what) const {
        throw Problem(Problem::Kind::bad_request, fmt::format("{}: XML at byte {}: {}", field_, byte, what),
                      std::string(field_));
    }

    // The end of what begins at `at` and ends with `end`.
    std::size_t until(std::size_t at, std::string_view end, std::string_view what) const {
        const std::size_t found = text_.find(end, at);
        if (found == std::string_view::npos) wrong(at, fmt::format("{} never ends", what));
        return found + end.size();
    }

    DeeplXmlToken& add(DeeplXmlKind kind, std::size_t begin, std::size_t end) {
        xml_.tokens.push_back({kind, begin, end - begin, {}, open_.back()});
        return xml_.tokens.back();
    }

    std::size_t read_text(std::size_t at) {
        const std::size_t end = std::min(text_.find('<', at), text_.size());
        add(DeeplXmlKind::text, at, end);
        if (!deepl_is_blank(text_.substr(at, end - at))) xml_.elements[open_.back()].has_text = true;
        return end;
    }

    std::size_t read_tag(std::size_t at) {
        const std::string_view rest = text_.substr(at);
        std::size_t end = 0;
        if (rest.starts_with("<!--")) {
            end = until(at + 4, "-->", "the comment");
        } else if (rest.starts_with("<![CDATA[")) {
            end = until(at, "]]>", "CDATA");
            xml_.elements[open_.back()].has_text = true;
            add(DeeplXmlKind::cdata, at, end);
            return end;
        } else if (rest.starts_with("<?")) {
            end = until(at, "?>", "the instruction");
        } else if (rest.starts_with("<!")) {
            end = declaration(at);
        } else {
            return element(at);
        }
        add(DeeplXmlKind::other, at, end);
        return end;
    }

    std::size_t declaration(std::size_t at) const {
        int brackets = 0;
        char quote = 0;
        for (std::size_t i = at; i < text_.size(); ++i) {
            const char c = text_[i];
            if (quote) {
                if (c == quote) quote = 0;
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == '[' || c == ']') {
                brackets += c == '[' ? 1 : -1;
            } else if (c == '>' && brackets <= 0) {
                return i + 1;
            }
        }
        wrong(at, "the declaration never ends");
    }

    std::size_t element(std::size_t at) {
        const bool closes = at + 1 < text_.size() && text_[at + 1] == '/';
        const std::size_t name_at = at + (closes ? 2 : 1);
        std::size_t i = name_at;
        while (i < text_.size() && !deepl_is_space(text_[i]) && text_[i] != '>' && text_[i] != '/' && text_[i] != '<')
            ++i;
        const std::string_view name = text_.substr(name_at, i - name_at);
        const unsigned char first = name.empty() ? 0 : static_cast<unsigned char>(name.front());
        if (!(first >= 0x80 || first == '_' || first == ':' || ((first | 32) >= 'a' && (first | 32) <= 'z')))
            wrong(at, "'<' begins no tag; as a character it is &lt;");
        char quote = 0;
        for (; i < text_.size() && (quote || text_[i] != '>'); ++i) {
            if (quote) quote = text_[i] == quote ? char(0) : quote;
            else if (text_[i] == '"' || text_[i] == '\'') quote = text_[i];
            else if (text_[i] == '<') break;
        }
        if (i >= text_.size() || text_[i] != '>') wrong(at, fmt::format("the tag of {} never ends", name));
        if (closes) close(at, i + 1, name);
        else open(at, i + 1, name, text_[i - 1] == '/');
        return i + 1;
    }

    void open(std::size_t at, std::size_t end, std::string_view name, bool empty) {
        const std::size_t index = xml_.elements.size(), token = xml_.tokens.size();
        xml_.elements.push_back({name, open_.back(), token, token, false});
        DeeplXmlToken& added = add(empty ? DeeplXmlKind::empty : DeeplXmlKind::start, at, end);
        added.name = name;
        added.element = index;
        if (empty) return;
        open_.push_back(index);
        if (open_.size() > kDeeplDeepest) wrong(at, fmt::format("more than {} elements in each other", kDeeplDeepest));
    }

    void close(std::size_t at, std::size_t end, std::string_view name) {
        DeeplXmlElement& element = xml_.elements[open_.back()];
        if (open_.size() < 2) wrong(at, fmt::format("</{}> closes nothing", name));
        if (element.name != name) wrong(at, fmt::format("</{}> closes <{}>", name, element.name));
        element.last = xml_.tokens.size();
        add(DeeplXmlKind::end, at, end).name = name;
        open_.pop_back();
    }

    std::string_view text_, field_;
    DeeplXml xml_;
    std::vector<std::size_t> open_;  // elements
};

}  // namespace

bool deepl_is_blank(std::string_view text) {
    for (const char c : text)
        if (!deepl_is_space(c)) return false;
    return true;
}

DeeplXml deepl_read_xml(std::string_view text, std::string_view field) { return DeeplXmlReader(text, field).read(); }

}  // namespace serve::api
