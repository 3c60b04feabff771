// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "text/normalize.h"

namespace dragoman::pipeline {

// A stretch of a sentence that the model sees in another form, or does not see.
struct Swap {
    enum class Kind : int {
        word,   // a stand-in, in whose place the original is put again
        form,   // a word or sign written otherwise: the original is put in its place if that comes out as it went in
        plain,  // likewise, and nothing has to be put back
        mark,   // left out, and put in between the words that it stood between
    };
    Kind kind = Kind::mark;
    text::Range normal{};   // of the sentence, normalised
    text::Range shown{};    // of what the model sees
    std::string text{};     // that
    std::string original{};  // bytes of the document
    bool blank_before = false, blank_after = false;  // beside the original
};

// What the model sees of a sentence where that is not its own text.
struct Shown {
    text::Normalized normal{};  // the sentence
    std::string text{};
    text::OffsetMap map{};      // from `text` to normal.text
    std::vector<text::Range> ranges{};  // of `text`, that the sentence's tokens stand for
    std::vector<Swap> swaps{};  // in order
    bool capitals = false;      // the sentence is written in capitals, and so is its translation; the model sees it small
    bool recased = false;       // the model sees capitals small that begin words, but those of nouns
};

}  // namespace dragoman::pipeline
