// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <memory>
#include <optional>

#include "decode/search.h"
#include "pipeline/value/result.h"
#include "spec/language_tag.h"
#include "text/detect_language.h"

namespace dragoman::spec {
struct Prompt;
}

namespace dragoman::pipeline {

struct Shown;

struct Sentence;
using Sentences = std::list<Sentence>;  // a list: their addresses do not change

// What is to become of a sentence whose translation lacks something.
enum class Again : int {
    no,
    carried,  // once more, with Sentence::kept as they are
    beside,   // once more, with the word at the end of it put there again whatever the model says
    recased,  // once more, with small letters in place of capitals that begin words, and capitals where nouns have them
    parts,    // once more in two parts, or copied
};

// What a translation must have for a stretch of a document. Any stage may want it, before the sentence becomes ids.
struct WantedTerm {
    text::Range range{};               // bytes of the document
    std::vector<std::string> forms{};  // any of them will do; for what stays as it is, the word that stands for it
    bool whole = false;                // no letter may follow in the same word
    bool stays = false;
    std::optional<text::Range> origin{};  // bytes of the text that a route was given; none: those are `range`
    std::optional<std::size_t> place{};  // among the search's; none: it cannot be searched for
};

// A sentence, or a part of one that is too long. It holds what the stages find out on the way down to the model, and
// what they make of the model's answer on the way up.
struct Sentence {
    text::Range range{};         // bytes of the document, with a language code in front of it
    text::Range body{};          // without that code
    bool continues = false;      // a further part of the same long sentence
    std::size_t index = 0;       // place in its document
    std::shared_ptr<const spec::Prompt> prompt{};
    std::string language{};      // a tag, where it was asked for and found
    float language_probability = 0.0f;
    uint32_t flags = 0;          // SentenceFlags
    spec::LanguageTag target_language{};     // unknown: nobody said
    std::vector<recall::Match> matches{};    // segments of a translation memory that are like it
    Tokens target_prefix{};      // tokens that its translation begins with, in the order of generation

    Tokens tokens{};                      // for the model, without those that begin and end every source
    std::vector<text::Range> ranges{};    // the bytes of the document that each of them stands for
    std::vector<WantedTerm> terms{};
    std::vector<WantedTerm> passed_terms{};  // that a route's next model is to give
    std::size_t prompt_tokens = 0;        // how many of the first tokens are the prompt's,
    std::size_t prompt_tokens_after = 0;  // and of the last ones
    decode::SearchInput input{};          // the tokens as ids, for the engine
    std::size_t source_length = 0;        // of input.source, or of the beginning that is continued
    std::size_t fed = 0;  // tokens at the begin of the model's answer that are given, and no part of the translation
    std::shared_ptr<const decode::SearchOutput> output{};  // the engine's answer, best hypothesis first, until read

    bool finished = false;                // has its hypotheses; if set on the way down, the model is not asked
    bool unaligned = false;               // nobody asks which words its translation stands for
    bool copied = false;                  // is copied into the translation unchanged
    std::vector<Hypothesis> hypotheses{};
    std::size_t length = 0;               // of the best one, in tokens, as the model gave it

    std::shared_ptr<const Shown> shown{};  // null: the model sees its text
    std::vector<text::Range> kept{};       // bytes of the document that stay as they are
    bool beside = false;                   // a carried word at its end is none of the model's
    bool recased = false;                  // the model sees words with small letters, and nouns as their language writes them
    float likelihood = 0.0f;               // mean log-probability of a token of the best hypothesis
    std::vector<WantedTerm> carried_terms{};  // that the search did not give: a word stands for them, too
    bool attends = false;                  // attention is needed on the way up
    Again again = Again::no;
    uint32_t attempt = 0;
    Sentences parts{};                     // what is tried instead
    Sentence* whole = nullptr;             // that this is a part of
    std::size_t parts_left = 0;            // that are not finished
};

struct MarkupDocument;

// An input of the caller's with its sentences, and in the end its translation.
struct Document {
    std::size_t index = 0;    // among the inputs
    std::string storage{};    // what `text` points to, unless that is the caller's
    std::string_view text{};  // UTF-8
    std::optional<Tokens> source{};  // of an input of tokens, which has no text
    Tokens target_prefix{};   // of its first sentence
    std::vector<WantedTerm> terms{};  // that a route's model before has passed on

    text::LanguageGuess language{};     // of most of it, where it was asked for
    std::shared_ptr<MarkupDocument> markup{};  // its tags
    std::vector<text::Range> kept{};    // bytes that stay as they are, in order
    std::vector<text::Range> parts{};   // that no sentence crosses; none: the text is one
    std::vector<text::Range> places{};  // of its sentences
    std::size_t window_bytes = 0;       // that it takes of a run's window
    std::size_t next_place = 0;         // the first that has not gone down
    std::shared_ptr<const spec::Prompt> prompt{};  // of the next sentence
    spec::LanguageTag target_language{};           // likewise
    Sentences sentences{};              // that have gone down
    std::size_t unfinished = 0;         // of these
    bool refused = false;               // one of them cannot be translated, so it has no result

    TextResult result{};
    bool down() const { return next_place == places.size(); }
    bool finished() const { return down() && unfinished == 0 && !refused; }
};

}  // namespace dragoman::pipeline
