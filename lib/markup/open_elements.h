// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "markup/elements.h"
#include "markup/unit.h"

namespace dragoman::markup {

struct OpenElement {
    std::string name;
    ElementRole role{};
    bool foreign = false;           // an element of SVG or MathML, or inside one
    bool kept = false;              // the element and its content are not translated,
    bool text_only = false;         // its content is raw text
    bool in_kept = false;           // because of an element around it
    std::size_t begin = 0;          // its tag's first byte
    std::size_t builder = kNoMark;  // for elements in a line: the one that it was opened in
    std::size_t unit = 0;           // that builder's unit,
    std::size_t opened = kNoMark;   // and its number there
    bool alive = true;              // not closed while others in it stay open
};

// The elements that are open at a place of a document, by the rules of browsers (WHATWG, "13.2.6 Tree construction"):
// end tags that are left out, tags that close nothing, elements that do not nest. Each call takes constant time on
// average, however deep the document.
class OpenElements {
public:
    bool empty() const { return elements_.empty(); }
    const OpenElement& back() const { return elements_.back(); }
    OpenElement& back() { return elements_.back(); }
    void push(OpenElement element);
    bool has(std::string_view name) const { return last(name) != kNoMark; }
    bool in_foreign() const { return !empty() && back().foreign && !integrates(back().name); }

    // The place of the element that such a start tag closes; kNoMark: none.
    std::size_t closed_by_start(std::string_view name) const;
    std::size_t closed_by_end(std::string_view name, const ElementRole& role) const;
    std::size_t foreign_root() const;  // the outermost element that an HTML tag in SVG or MathML closes

    // Closes the element at `place` with its content. A formatting element ends alone, and continues after a block that
    // ends.
    std::vector<OpenElement> close(std::size_t place);  // the ended elements, innermost first

private:
    static bool integrates(std::string_view name) {
        return name == "foreignobject" || name == "desc" || name == "title";
    }
    std::size_t last(std::string_view name) const;
    std::size_t last_of(std::initializer_list<std::string_view> names) const;
    void pop();

    std::vector<OpenElement> elements_;
    std::map<std::string, std::vector<std::size_t>, std::less<>> places_;  // places of the alive ones, by name
    std::vector<std::size_t> bounds_, blocks_;  // places of elements that bound a search
};

}  // namespace dragoman::markup
