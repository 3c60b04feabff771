// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "text/normalize.h"

namespace dragoman::pipeline {

// A stretch of a sentence that the model sees in another form, or does not see.
struct Placeholder {
    enum class Kind : int {
        word,   // a stand-in, which the original replaces again
        form,   // a word or sign in another form: the original replaces it if it comes out unchanged
        plain,  // a word or sign in another form that stays
        mark,   // left out, and inserted between the words that were around it
    };
    Kind kind = Kind::mark;
    text::Range normal{};   // in the normalised sentence
    text::Range in_input{};    // in the model's input
    std::string text{};     // text of that range
    std::string original{};  // bytes of the document
    bool blank_before = false, blank_after = false;  // beside the original
    bool term = false;  // a glossary's: `text` is in the target language
};

// The model's input for a sentence, where it is not the sentence's own text.
struct ModelInput {
    text::Normalized normal{};  // the sentence
    std::string text{};
    text::OffsetMap map{};      // from `text` to normal.text
    std::vector<text::Range> ranges{};  // of `text`, that the sentence's tokens stand for
    std::vector<Placeholder> placeholders{};  // in order
    bool capitals = false;  // the sentence is written in capitals, and so is its translation; the model sees it small
    bool small = false;  // a word or two in small letters, which the model sees with a capital at the beginning
    bool recased = false;  // words lose their initial capitals, except nouns
};

}  // namespace dragoman::pipeline
