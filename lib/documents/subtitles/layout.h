// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::documents {

using text::Range;

inline constexpr std::size_t kLineLength = 42;  // characters

// A place where a line may end: text before `end` stays on it, the next line begins at `next`.
struct Break {
    std::size_t end, next;
};

// Breaks between words, and between the characters of scripts without spaces. None is inside a tag.
std::vector<Break> breaks(std::string_view text);

// The number of visible characters: code points outside tags.
std::size_t visible_length(std::string_view text);

// One line if it fits, otherwise two of similar length if they fit, otherwise as many as needed.
std::vector<std::string> wrap(std::string_view text);

// Cuts a text into as many parts as there are shares, each about as long as its share of the sum. Parts end between
// words, after punctuation if some is near, and are not empty as long as there are words.
std::vector<Range> distribute(std::string_view text, const std::vector<std::size_t>& shares);

}  // namespace dragoman::documents
