// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"

// Which bytes of a text its tokens stand for. Ranges of a text's tokens are ordered by begin and by end, begin and end
// with characters, have no white space at their ends, and cover every character that is not white space, unless there
// is no token at all. Tokens share a range where several stand for one character. A token that stands for nothing has
// an empty range at its place.
namespace dragoman::text {

class OffsetMap;

struct TokenizedText {
    std::vector<std::string> tokens;
    std::vector<Range> ranges;  // one for each token, in the text that was given
};

struct DetokenizedText {
    std::string text;
    std::vector<Range> ranges;  // one for each token that was given, in the text
};

// Takes white space off the ends of ordered ranges; one of white space only becomes empty, at its end.
void trim_spaces(std::string_view text, std::span<Range> ranges);

// Characters between ordered ranges, which were dropped on the way to tokens, are added to a neighbour: to the range
// before them, or to the one after them if they follow white space or nothing.
void cover_dropped(std::string_view text, std::span<Range> ranges);

// From ranges of tokens in a derived text to ranges in its source, in linear time.
void to_source(const OffsetMap& map, std::string_view source, std::span<Range> ranges);

}  // namespace dragoman::text
