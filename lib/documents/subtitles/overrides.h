// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dragoman::documents {

// The blocks in braces of SubStation Alpha: "{\i1}", "{\pos(1,2)\fs20}", "{a comment}".

// The length of the block that a text begins with, with all of the drawing that it begins; 0: none.
std::size_t override_length(std::string_view text);

// What a block begins or ends around words: "\i" of "{\i1}" and "{\i0}"; empty for others, such as "{\an8}" and "{\k20}".
std::string override_name(std::string_view block);
inline constexpr std::string_view kResets = "\\r";  // the name of "{\r}", which ends every block

bool override_closes(std::string_view block);

// Whether a text stands at a place of its own.
bool has_place(std::string_view text);

// Whether braces around a comment or a drawing are in it, in which no line may be broken.
bool has_hidden_text(std::string_view text);

}  // namespace dragoman::documents
