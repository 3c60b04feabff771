// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "documents/format.h"
#include "markup/unit.h"

namespace dragoman::documents {

using text::Range;

inline constexpr std::size_t kNoTag = SIZE_MAX;

// Text of a cue without its tags (<i>, <font color=red>, {\an8}; in WebVTT <v Name>, <c.yellow>, <00:01.000> ...) and
// without its frame, which is not language: a dialogue's dash, notes of music.
struct Marked {
    struct Tag {
        std::string tag;
        std::size_t at;                 // byte of `text` before which it stands
        std::size_t partner = kNoTag;  // the other tag of a pair, as an index into `tags`
    };
    std::string text, before, after;  // the text, and its frame
    std::string prefix, suffix;       // the frame including its tags, as it is written
    std::vector<Tag> tags;            // inside the text, or with a partner there
};

// A mark's tags; a single one has no `close`.
struct TagPair {
    std::string open, close;
};

Marked take_markup(std::string_view line, Format format);

// Adds the tags inside a text to the marks of a unit, in which it begins at `begin`.
void add_marks(const Marked& marked, std::size_t begin, std::vector<markup::Mark>& marks, std::vector<TagPair>& pairs);

// Divides a translation into parts, each with the tags whose places it contains: a pair across several parts is closed
// and opened again. `places` are the marks'.
std::vector<std::string> put_tags(std::string_view target, std::span<const Range> parts, std::span<const TagPair> pairs,
                                  std::span<const Range> places, Format format);

// The form of such a text in a file.
std::string escape(std::string_view text, Format format);

// Whether the text has anything to translate.
bool has_words(std::string_view text);

}  // namespace dragoman::documents
