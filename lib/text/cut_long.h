// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// Number of tokens that a piece of text becomes.
using CountTokens = std::function<std::size_t(std::string_view)>;

// Cuts a sentence into parts of at most `most` tokens, in order and without the white space around them: after a
// semicolon, colon or dash, otherwise after a comma, otherwise at white space, otherwise between characters. Parts are
// of similar size. Only white space is between them. A single character is never cut, however many tokens it is. Spans
// that stay unchanged (kept.h) and the stretches `together`, in order, are cut only where no other place is left.
// Counts a few times as many characters as the sentence has.
std::vector<Range> cut_long(std::string_view text, Range sentence, std::size_t most, const CountTokens& count,
                            std::span<const Range> together = {});

// Cuts a sentence of more than `most` bytes into parts of about that many, at the same kinds of places, in linear time:
// it looks at no more of the sentence at once. A stretch that has no blanks may make a part a little longer.
std::vector<Range> cut_bytes(std::string_view text, Range sentence, std::size_t most,
                             std::span<const Range> together = {});
// The first of these parts; `rest`, the sentence, becomes what is behind it, which is empty at the end.
Range first_of_bytes(std::string_view text, Range& rest, std::size_t most, std::span<const Range> together = {});

}  // namespace dragoman::text
