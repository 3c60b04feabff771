// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/matrix.h"
#include "pipeline/model/options.h"
#include "pipeline/value/coverage.h"
#include "pipeline/value/quality_scores.h"
#include "text/characters.h"
#include "text/word_alignment.h"

namespace dragoman::pipeline {

// A term of the options that a sentence has, or a span that it must keep.
struct TermUse {
    text::Range source;  // bytes of the document
    bool met = false;    // the translation has it
    bool operator==(const TermUse&) const = default;
};

// A stretch that a translation has as it was.
struct Unchanged {
    text::Range source;  // bytes of the document
    text::Range target;  // bytes of the translation
    bool operator==(const Unchanged&) const = default;
};

// The normalised log-probability of a translation's tokens. Translations that are appended have the mean of all their
// tokens, for which the sum is kept: nothing is rounded in between.
class MeanScore {
public:
    MeanScore() = default;
    MeanScore(float value, std::size_t tokens) : value_(value), tokens_(tokens), sum_(double(value) * double(tokens)) {}

    operator float() const { return value_; }
    std::size_t tokens() const { return tokens_; }
    void add(const MeanScore& more);

private:
    float value_ = 0.0f;
    std::size_t tokens_ = 0;
    double sum_ = 0.0;
};

// What the search noted of one translation, until its quality is known. It is lost where translations are put together.
struct SearchNotes {
    std::vector<decode::Certainty> certainty{};  // of the tokens
    std::optional<float> end_log_prob{};  // of the end token, if it came
    std::vector<text::Range> put_in{};  // bytes of the translation that are the document's own
};

// The translation of a sentence, of a part of one or of several, from the search to the C API. Ranges of the target count
// bytes of a text in which this translation begins at `begin`; those of the source count bytes of the document.
//
// A new field is a type of this room with the functions shift(), append(), compose() and cut() as in value/fields.h, a
// member here and a name in fields(). Without one of them, the library does not compile.
struct Translation {
    std::string text{};  // of the tokens; empty for a model without tokenizer
    std::size_t begin = 0;
    Tokens tokens{};
    std::vector<text::Range> ranges{};  // the bytes that each token stands for; none without text
    MeanScore score{};  // 0 unless return_scores
    Matrix attention{};  // [target token][source token]; no rows unless asked for
    text::WordAlignment alignment{};  // words of the document and of the target; empty unless asked for
    std::vector<TermUse> terms{};
    std::vector<Unchanged> unchanged{};  // of Document::kept
    Quality quality{};  // words of the target; empty unless asked for
    Coverage coverage{};  // of the words of the source; not measured unless asked for
    SearchNotes notes{};

    text::Range range() const { return {begin, begin + text.size()}; }
};

// Every field on which the functions below work; `begin` is theirs.
template <class AnyTranslation>
auto fields(AnyTranslation& of) {
    auto& [text, begin, tokens, ranges, score, attention, alignment, terms, unchanged, quality, coverage, notes] = of;
    return std::tie(text, tokens, ranges, score, attention, alignment, terms, unchanged, quality, coverage, notes);
}

// Gives back the memory of the tokens' ranges, which only the work needed.
void release_ranges(Translation& translation);

// Moves the translation, with all ranges of the target, by some bytes.
void shift(Translation& translation, std::ptrdiff_t by);

// Puts another translation behind this one, with a gap of text between. Source tokens and words stand beside each other.
void append(Translation& all, Translation more, std::string_view gap);

// Gives zeros as attention to a copy, which has none, so that it can be appended to translations with attention.
void complete_attention(Translation& translation, std::size_t source_tokens);

// A translation into another language over a text between: `first` made that text, and `second` translates it. Its text,
// tokens and ranges are the second one's. Attention is P(s|t) = sum over q of P(s|q) P(q|t), where tokens q of the text
// between share their mass by bytes (as in bergamot-translator). `between`: bytes of that text for each source token of
// `second`.
Translation compose(const Translation& first, const Translation& second, std::span<const text::Range> between);

// Where a part of a translation lies.
struct Stretch {
    text::Range target, source;  // bytes, as the translation's ranges count them
    text::Range tokens, source_tokens;  // places in the lists of tokens
};

// The part of a translation, which keeps its place and has the score of the whole.
Translation cut(const Translation& whole, const Stretch& stretch);

}  // namespace dragoman::pipeline
