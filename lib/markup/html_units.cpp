// SPDX-License-Identifier: Apache-2.0
#include "markup/document_builder.h"
#include "markup/html_tokens.h"
#include "markup/units.h"

namespace dragoman::markup {
namespace {

class HtmlReader {
public:
    HtmlReader(std::string_view source, std::string_view language, Literals literals)
        : tokens_(source), builder_(source, language, literals, true) {}

    Units read() {
        for (Token token; tokens_.next(token); tokens_.set_foreign(open_.in_foreign())) {
            switch (token.kind) {
                case Token::Kind::text: builder_.text(token); break;
                case Token::Kind::start: start(token); break;
                case Token::Kind::end: end(token); break;
                default: builder_.point(token.bytes, false);
            }
        }
        return builder_.finish();
    }

private:
    void start(const Token& token) {
        if (open_.in_foreign() && leaves_foreign(token.name)) close(open_.foreign_root(), token, false);
        const bool foreign = open_.in_foreign();
        if (!foreign)
            for (std::size_t place; (place = open_.closed_by_start(token.name)) != kNoMark;) close(place, token, false);
        if (is_frame(token.name) && open_.has(token.name)) return builder_.stray(token, false);
        const ElementRole role = html_role(token.name);
        OpenElement element{.name = token.name, .role = role};
        element.foreign = foreign || token.name == "svg" || token.name == "math";
        if (element.foreign ? token.self_closing : role.empty) return builder_.alone(token, role);
        builder_.begin(token, element);
        open_.push(std::move(element));
    }

    void end(const Token& token) {
        const ElementRole role = html_role(token.name);
        const bool closes = !role.empty && token.name != "html" && token.name != "body";
        const std::size_t place = closes ? open_.closed_by_end(token.name, role) : kNoMark;
        if (place != kNoMark) close(place, token, true);
        else builder_.stray(token, role.place == Place::in_line);
    }

    // Of the elements that end, the last one gets the tag, if it is an end tag.
    void close(std::size_t place, const Token& token, bool told) {
        const std::vector<OpenElement> ended = open_.close(place);
        for (const OpenElement& element : ended) {
            const bool own = told && &element == &ended.back();
            builder_.end(element, own ? token.bytes : Range{token.bytes.begin, token.bytes.begin});
        }
    }

    static bool is_frame(std::string_view name) { return name == "html" || name == "head" || name == "body"; }

    HtmlTokenizer tokens_;
    OpenElements open_;
    DocumentBuilder builder_;
};

}  // namespace

Units html_units(std::string_view source, std::string_view language, Literals literals) {
    return HtmlReader(source, language, literals).read();
}

}  // namespace dragoman::markup
