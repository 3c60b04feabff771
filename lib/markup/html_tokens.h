// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "markup/token.h"

namespace dragoman::markup {

// Splits any text into HTML's tokens, as WHATWG's tokenizer does ("13.2.5 Tokenization"), with the bytes that each
// stands for. Never fails. Takes time in proportion to the text.
class HtmlTokenizer {
public:
    explicit HtmlTokenizer(std::string_view source) : source_(source) {}

    bool next(Token& token);  // false: the end
    // The caller, who knows which elements are open, says whether the last token left SVG's or MathML's open: these
    // have CDATA sections, and their <title> and <style> hold tags.
    void set_foreign(bool foreign) { foreign_ = foreign; }

private:
    enum class Content { data, rcdata, raw, script, plain };

    char at(std::size_t place) const { return place < source_.size() ? source_[place] : '\0'; }
    std::size_t find(std::string_view what, std::size_t from) const;
    bool tag_opens(std::size_t place) const;
    bool is_end_tag(std::size_t place) const;
    bool is_tag_named(std::size_t name_begin, std::string_view name) const;
    std::size_t script_end() const;
    void read_text(Token& token, std::size_t end);
    void read_markup(Token& token);
    void read_cdata(Token& token);
    void read_tag(Token& token);
    bool read_attribute(Token& token, std::size_t& place) const;
    Content content_of(std::string_view name) const;

    const std::string_view source_;
    std::size_t place_ = 0;
    Content content_ = Content::data;
    std::string raw_name_;  // name of the element whose content is raw text
    bool foreign_ = false;
};

}  // namespace dragoman::markup
