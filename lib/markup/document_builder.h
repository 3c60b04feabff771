// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "markup/open_elements.h"
#include "markup/token.h"
#include "markup/unit_builder.h"
#include "markup/units.h"

namespace dragoman::markup {

// Sorts a document's tokens into units. It knows how elements are translated, but not which ones are open: the caller
// of begin() and end() does.
class DocumentBuilder {
public:
    // html: attributes may be text, and references are HTML's.
    DocumentBuilder(std::string_view source, std::string_view language, Literals literals, bool html);

    void text(const Token& token);
    void point(Range bytes, bool seen);  // a comment, a reference
    void stray(const Token& token, bool in_line);  // a tag that opens or closes nothing
    // Begins an element with content, or one without: its own tag is then all of it.
    void begin(const Token& tag, OpenElement& element);
    void alone(const Token& tag, const ElementRole& role);
    // `bytes`: its end tag, or an empty range where it ends without one.
    void end(const OpenElement& element, Range bytes);
    Units finish();

private:
    bool is_excluded(const Token& tag) const;
    bool in_other_language(const Token& tag) const;
    std::string language_of(const Token& tag) const;
    void add_attributes(const Token& tag);
    void note_language(const Token& tag);
    void hold(const Token& text);
    std::string literal_of(const OpenElement& element) const;
    void take_literal(Range bytes, std::string_view text);
    void end_unit();
    void leave(const OpenElement& element, Range bytes);

    const std::string_view source_;
    const Literals literals_;
    const bool html_;
    const std::string language_;
    std::string language_of_root_;
    bool root_ = true;  // the next element is the first
    Units units_;
    std::vector<UnitBuilder> builders_;  // one for each open island, after the first
    std::size_t text_only_ = 0;  // open elements of this kind
    bool skipping_ = false;  // a kept element is open:
    std::string held_;       // its text,
    bool only_text_ = true;  // and whether it has nothing else but elements in lines
};

}  // namespace dragoman::markup
