// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "markup/ascii.h"
#include "markup/document_builder.h"
#include "markup/units.h"
#include "markup/xml_tokens.h"

namespace dragoman::markup {
namespace {

std::string_view local(std::string_view name) { return name.substr(name.find(':') + 1); }

// For each element in order: whether it has text besides other elements, which are then parts of its sentences.
std::vector<bool> find_mixed(std::string_view source) {
    std::vector<bool> mixed;
    std::vector<std::size_t> open;
    xml_tokens(source, [&](const Token& token) {
        if (token.kind == Token::Kind::start) {
            open.push_back(mixed.size());
            mixed.push_back(false);
        } else if (token.kind == Token::Kind::end) {
            open.pop_back();
        } else if (token.kind == Token::Kind::text && !open.empty()) {
            if (!std::ranges::all_of(text::part(source, token.content), is_blank)) mixed[open.back()] = true;
        }
    });
    return mixed;
}

class XmlReader {
public:
    XmlReader(std::string_view source, std::string_view language, Literals literals)
        : source_(source), mixed_(find_mixed(source)), html_(root_name() == "html"),
          builder_(source, language, literals, html_) {}

    Units read() {
        xml_tokens(source_, [this](const Token& token) { take(token); });
        return builder_.finish();
    }

private:
    struct Open {
        OpenElement element;
        bool holds_lines = false;  // elements in it stand in lines
    };

    std::string root_name() const {
        std::size_t at = source_.find('<');
        while (at < source_.size() && (at + 1 >= source_.size() || !is_letter(source_[at + 1])))
            at = source_.find('<', at + 1);
        at = std::min(at, source_.size());
        std::size_t end = std::min(at + 1, source_.size());
        while (end < source_.size() && !is_blank(source_[end]) && source_[end] != '>' && source_[end] != '/') ++end;
        return at < end ? std::string(local(source_.substr(at + 1, end - at - 1))) : std::string();
    }

    void take(const Token& token) {
        switch (token.kind) {
            case Token::Kind::text: return builder_.text(token);
            case Token::Kind::start: return start(token);
            case Token::Kind::end: return end(token);
            case Token::Kind::reference:
                if (html_ && html_reference(text::part(source_, token.bytes), false).bytes > 0) builder_.text(token);
                else builder_.point(token.bytes, true);
                return;
            case Token::Kind::other: return builder_.point(token.bytes, false);
        }
    }

    void start(Token token) {
        const bool in_line = !open_.empty() && open_.back().holds_lines;
        const bool mixed = mixed_[elements_++];
        token.name = local(token.name);
        Open open{{.name = token.name, .role = html_ ? html_role(token.name) : xml_role(token.name, in_line)}, false};
        open.holds_lines = mixed || (in_line && open.element.role.place == Place::in_line);
        open.element.role.seen = open.element.role.seen || !html_;
        if (token.self_closing) builder_.alone(token, open.element.role);
        else builder_.begin(token, open.element);
        alone_ = token.self_closing;
        if (!alone_) open_.push_back(std::move(open));
    }

    void end(const Token& token) {
        if (alone_) {
            alone_ = false;
            return;
        }
        builder_.end(open_.back().element, token.bytes);
        open_.pop_back();
    }

    const std::string_view source_;
    const std::vector<bool> mixed_;
    const bool html_;
    DocumentBuilder builder_;
    std::vector<Open> open_;
    std::size_t elements_ = 0;
    bool alone_ = false;  // the next end belongs to an element without content
};

}  // namespace

Units xml_units(std::string_view source, std::string_view language, Literals literals) {
    return XmlReader(source, language, literals).read();
}

}  // namespace dragoman::markup
