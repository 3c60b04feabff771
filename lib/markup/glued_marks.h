// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "markup/unit.h"

namespace dragoman::markup {

// A stretch of a unit's text with elements in it: "H<sub>2</sub>O".
struct Glued {
    Range plain{};
    Range tags{};                       // bytes of the document, from the first element to the end of the last one
    std::size_t before = 0, after = 0;  // bytes of the text before the first element, and behind the last one
};

// The bytes of the document that such a stretch stands for; empty: they cannot be told.
using BytesOfGlued = std::function<Range(const Glued& glued)>;

// Elements that touch a word without being letters of it are no text of the sentence. Marks of notes ("Vienna<sup>1</sup>")
// become points, and formulas ("m<sup>2</sup>", "H<sub>2</sub>O") literals.
void set_glued_apart(std::vector<Mark>& marks, std::string& plain, Literals literals, const BytesOfGlued& bytes_of);

// Makes points of literals, and takes their texts out of the unit's.
void leave_out_literals(std::vector<Mark>& marks, std::string& plain);

// Whether a text is an amount (text/amount.h), and no mark stands between its figures, as in "$19<sup>.99</sup>".
bool is_whole_amount(const std::vector<Mark>& marks, std::string_view plain);

}  // namespace dragoman::markup
