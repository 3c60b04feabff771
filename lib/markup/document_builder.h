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

// Sorts a document's tokens into units. It knows what elements are to a translation, not which ones are open: whoever
// calls begin() and end() does.
class DocumentBuilder {
public:
    // html: attributes may be text, and references are HTML's.
    DocumentBuilder(std::string_view source, std::string_view language, Literals literals, bool html);

    void text(const Token& token);
    void point(Range bytes, bool seen);  // a comment, a reference
    void stray(const Token& token, bool in_line);  // a tag that opens or closes nothing
    // An element that has content, or none: its own tag is all of it.
    void begin(const Token& tag, OpenElement& element);
    void alone(const Token& tag, const ElementRole& role);
    // `bytes`: its end tag, or nothing at the place where it ends without one.
    void end(const OpenElement& element, Range bytes);
    Units finish();

private:
    bool is_excluded(const Token& tag) const;
    bool in_other_language(const Token& tag) const;
    std::string language_of(const Token& tag) const;
    void add_attributes(const Token& tag);
    void hold(const Token& text);
    std::string literal_of(const OpenElement& element) const;
    void end_unit();
    void leave(const OpenElement& element, Range bytes);

    const std::string_view source_;
    const Literals literals_;
    const bool html_;
    const std::string language_;
    std::string language_of_root_;
    bool root_ = true;  // the next element is the first
    Units units_;
    std::vector<UnitBuilder> builders_;  // one for each island that is open, and the first
    std::size_t text_only_ = 0;  // elements of this kind that are open
    bool skipping_ = false;  // an element that is kept is open:
    std::string held_;       // its text,
    bool only_text_ = true;  // and whether it has nothing else but elements in lines
};

}  // namespace dragoman::markup
