// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <dragoman/dragoman.hpp>

namespace cli {

// A text of anybody's as a part of an HTML page or of an attribute's value in quotes.
std::string escaped_html(std::string_view text);

// A text of a result, and the languages that are known of it, BCP 47.
struct ShownText {
    const dragoman::Result& result;
    std::size_t input;
    std::string_view source;
    std::string_view source_language, target_language;
};

// A sentence with its translations side by side, as HTML. Its words are elements; those of translations have in
// `data-a` the places of the source words that they belong to, and weights.
std::string show_sentence(const ShownText& text, std::size_t sentence);

}  // namespace cli
