// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "decode/search.h"
#include "pipeline/value/result.h"
#include "pipeline/value/retry.h"
#include "spec/language_tag.h"

namespace dragoman::spec {
struct Prompt;
}

namespace dragoman::pipeline {

struct ModelInput;

// Something that a translation must have for a stretch of a document. Any stage may want it, before the sentence
// becomes ids.
struct WantedTerm {
    text::Range range{};               // bytes of the document
    std::vector<std::string> forms{};  // any of them will do; for what stays as it is, the word that stands for it
    bool whole = false;                // no letter may follow in the same word
    bool stays = false;
    bool name = false;             // of several words, which are the same in both languages
    std::optional<text::Range> origin{};  // bytes of the text that a route was given; none: those are `range`
    std::optional<std::size_t> place{};  // among the search's; none: it cannot be searched for
};

// Facts about a sentence, apart from the model's answer. A part of it has the same, except for the bytes: see
// part_of().
struct SentenceFacts {
    text::Range range{};         // bytes of the document, with a language code in front of it
    text::Range body{};          // without that code
    bool continues = false;      // a further part of the same long sentence
    std::size_t index = 0;       // place in its document
    std::shared_ptr<const spec::Prompt> prompt{};
    std::string language{};      // a tag, where it was asked for and found
    float language_probability = 0.0f;
    uint32_t flags = 0;          // SentenceFlags
    spec::LanguageTag target_language{};     // unknown: nobody said
    std::vector<tm::Match> matches{};    // segments of a translation memory that are like it
    Tokens target_prefix{};      // tokens that its translation begins with, in the order of generation
    std::vector<text::Range> kept{};          // bytes of the document that stay as they are
    std::vector<WantedTerm> protected_terms{};  // that the search did not give: a word stands for them, too
    bool attends = false;        // attention is needed on the way up
    Attempt attempt{};
};

// The input of the model in one attempt, and the model's answer. Each attempt makes its own.
struct ModelCall {
    std::vector<WantedTerm> terms{};
    std::vector<WantedTerm> carried_terms{};  // that a word stands for: protected ones, and names
    std::vector<WantedTerm> passed_terms{};  // that a route's next model is to give
    std::shared_ptr<const ModelInput> model_input{};    // null: the model sees its text
    bool unaligned = false;                  // nobody asks which words its translation stands for
    decode::SearchInput input{};             // the tokens as ids, for the engine
    std::size_t source_length = 0;           // of input.source, or of the beginning that is continued
    std::size_t fed = 0;  // tokens at the begin of the model's answer that are given, and no part of the translation
    std::shared_ptr<const decode::SearchOutput> output{};  // the engine's answer, best hypothesis first, until read
    std::size_t length = 0;                  // of the best hypothesis, in tokens, as the model gave it
    float likelihood = 0.0f;                 // mean log-probability of a token of the best hypothesis
};

// The results that a document takes from a finished sentence. A part that is better than its whole sentence replaces
// all of them.
struct Outcome {
    Tokens tokens{};                      // for the model, without those that begin and end every source
    std::vector<text::Range> ranges{};    // the bytes of the document that each of them stands for
    std::size_t prompt_tokens = 0;        // how many of the first tokens are the prompt's,
    std::size_t prompt_tokens_after = 0;  // and of the last ones
    bool finished = false;                // has its hypotheses; if set on the way down, the model is not asked
    bool copied = false;                  // is copied into the translation unchanged
    std::vector<Hypothesis> hypotheses{};
};

// A sentence, or a part of one that is too long. It holds what the stages find out on the way down to the model, and
// what they make of the model's answer on the way up. A field stands in the group that says what a part has of it; one
// outside of the groups does not compile (sentence.cpp).
struct Sentence : SentenceFacts, ModelCall, Outcome {
    Retry retry{};
    bool settled = false;  // its translation stays, and nothing but its document points to it
};

// A part of a sentence, not yet at work: the facts that hold for its bytes. `first`: it begins where the sentence does.
Sentence part_of(const Sentence& whole, text::Range body, bool first);

struct MarkupDocument;

// How far the result of a text is put together.
struct Assembly {
    struct Means {  // of one hypothesis
        MeanScore score{};
        double quality = 0.0, words = 0.0;
    };
    std::size_t source_at = 0;  // bytes of the text before it are done
    std::vector<Means> means{};
};

// An input of the caller's with its sentences, and in the end its translation.
struct Document {
    std::size_t index = 0;  // among the inputs
    std::string storage{};  // what `text` points to, unless that is the caller's
    std::string_view text{};  // UTF-8
    std::optional<Tokens> source{};  // of an input of tokens, which has no text
    Tokens target_prefix{};  // of its first sentence
    std::vector<WantedTerm> terms{};  // that a route's model before has passed on

    spec::LanguageGuess language{};  // of most of it, where it was asked for
    std::shared_ptr<MarkupDocument> markup{};  // its tags
    std::vector<text::Range> kept{};  // bytes that stay as they are, in order
    std::vector<text::Range> parts{};  // that no sentence crosses; none: the text is one
    Places places{};  // of its sentences; those that are left have not gone down
    std::size_t window_bytes = 0;  // that it takes of a run's window
    std::shared_ptr<const spec::Prompt> prompt{};  // of the next sentence
    spec::LanguageTag target_language{};  // likewise
    Sentences sentences{};  // that have gone down, and are not in the result
    std::size_t sentences_begun = 0;
    std::size_t unfinished = 0;  // of these
    bool refused = false;  // one of them cannot be translated, so it has no result

    TextResult result{};
    Assembly assembly{};  // of the result
    bool down() const { return places.left() == 0; }
    bool finished() const { return down() && unfinished == 0 && !refused; }
};

// The spans that stay unchanged (Document::kept) within a stretch of the document.
std::span<const text::Range> kept_in(const Document& document, text::Range body);

// The next of its places, or the first part of one that is too long to go down at once.
Places::Place take_place(Document& document);

// The text between two translations, given the text between their sources in `text`. `left` and `right` are the
// translations.
std::string_view gap_between(std::string_view text, text::Range gap, bool same_sentence, std::string_view left,
                             std::string_view right);

}  // namespace dragoman::pipeline
