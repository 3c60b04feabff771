// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

inline constexpr std::size_t kLongestDivided = 4000;  // bytes; longer texts are no sentences, and are cut by length

// What a cue of several that share a text has room for.
struct CueRoom {
    std::size_t share = 0;      // visible characters of the source
    uint64_t milliseconds = 0;  // while it is shown
};

// Words on the wrong side if the text is cut at this byte between cue `i` and the next one.
using Misplaced = std::function<double(std::size_t i, std::size_t byte)>;

// Cuts a text for such cues between words: where its words belong to one cue and the next by `misplaced`, but no cue
// gets more than two lines, nor more than can be read in its time, while another has room; after punctuation if some is
// near, not behind a short word. Parts are not empty as long as there are words.
std::vector<Range> divide(std::string_view text, const std::vector<CueRoom>& cues, const Misplaced& misplaced);

}  // namespace dragoman::documents
