// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "documents/format.h"

namespace dragoman::documents {

// Text of a cue without its tags (<i>, <font color=red>, {\an8}; in WebVTT <v Name>, <c.yellow>, <00:01.000> ...) and
// without what frames it and is no language: a dialogue's dash, notes of music.
struct Marked {
    struct Tag {
        std::string tag;
        std::size_t at;  // byte of `text` in front of which it stands
    };
    std::string text, before, after;  // the text and its frame
    std::string prefix, suffix;       // the frame with the tags in it, as it is written
    std::vector<Tag> tags;            // inside the text
};

Marked take_markup(std::string_view line, Format format);

// The tags put into a translation of `text`: those around all of it stay around all of it, others go to the word that
// lies as far into the translation as their word did in the source.
std::string put_markup(const Marked& source, std::string_view translation, Format format);

// Whether there is anything to translate.
bool has_words(std::string_view text);

}  // namespace dragoman::documents
