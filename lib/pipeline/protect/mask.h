// SPDX-License-Identifier: Apache-2.0
// Room "protect": spans of a text that the model must not see or must not change: masking them in its input, and
// restoring them in its translation. Functions of one sentence; nothing here knows the order of stages or a run.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "pipeline/value/model_input.h"

namespace dragoman::pipeline {

// A word as it is usually written: "Käufer" for "KÄUFER".
struct UsualForm {
    text::Range range;
    std::string text;
    bool in_capitals = false;  // maybe an abbreviation: what comes out unchanged gets its own letters back
};

// A term's source, and the term.
struct ShownTerm {
    text::Range range;  // bytes of the sentence
    std::string text;
};

// How a sentence is changed so that the model can read it.
struct Masking {
    std::span<const text::Range> kept{};  // bytes of the sentence that are protected in any case
    std::span<const ShownTerm> terms{};   // that the model reads instead of their sources
    std::function<std::vector<text::Range>(const std::string&)>
        unknown{};  // bytes of a text that the model cannot read
    std::function<std::vector<text::Range>(std::string_view)> nouns{};  // words of a text that begin with a capital
    std::function<std::vector<UsualForm>(std::string_view)> usual{};  // words of a text in other letters
    bool stand_ins = true;     // the model knows the letters of stand-ins
    bool beside = false;       // a protected word at the end is left out
    std::size_t label = 0;     // bytes at the beginning of the normalised sentence that are left out
    std::string language{};    // of the sentence; empty: unknown
};

// Fills in text, map and placeholders of `model_input` from its normalised text. `sentence` is the original text.
void mask(ModelInput& model_input, std::string_view sentence, const Masking& how);

// Whether a placeholder is a word after others, and only punctuation follows.
bool stands_last(const ModelInput& model_input, const Placeholder& placeholder);

// Whether a text in this language has something that is protected for every model.
bool has_something_kept(std::string_view text, std::string_view language);

// A word that models copy: "X1".
std::string stand_in(char letter, std::size_t number);

}  // namespace dragoman::pipeline
