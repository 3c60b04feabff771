// SPDX-License-Identifier: Apache-2.0
// Room "value": what a sentence, a document and a translation are. Plain data, and functions from data to data.
// Nothing here calls a model, waits or keeps state between calls; only the room "model" may be included.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/value/packed.h"
#include "pipeline/value/translation.h"
#include "tm/segments.h"

namespace dragoman::pipeline {

using Hypothesis = Translation;  // one of several that the search has found

// The result for an input of tokens.
struct Result {
    std::vector<Translation> hypotheses;  // best first
};

// Facts about a sentence that a reader should know.
struct SentenceFlags {
    static constexpr uint32_t copied = 1;  // as it was given: for one of the next reasons, or it says nothing
    static constexpr uint32_t in_target_language = 2;  // nothing to translate
    static constexpr uint32_t in_other_language = 4;  // that the model does not translate from
    static constexpr uint32_t carried = 8;  // what the model cannot read, or should not, was put in as it was
    static constexpr uint32_t repeated = 16;  // the model repeated itself: it was translated in parts, or copied
    static constexpr uint32_t numbers = 32;  // a number of it is missing in the translation
    static constexpr uint32_t mojibake = 64;  // it looks like UTF-8 that was read as another encoding
    static constexpr uint32_t from_memory = 128;  // the translation is a translation memory's
    static constexpr uint32_t unsure = 256;  // its translation had less quality than min_quality: it was copied
    static constexpr uint32_t uncovered = 512;  // its translation leaves out more than max_uncovered_words in a row
};

// The sentences of a text's result. A line of a megabyte may have half a million, so what most of them have is packed, and
// what few have (matches, alignments, terms ...) stands apart.

// Goes through a list that makes its items when they are asked for.
template <class List>
class ItemIterator {
public:
    using value_type = typename List::Item;
    using difference_type = std::ptrdiff_t;

    ItemIterator() = default;
    ItemIterator(const List* list, std::size_t at) : list_(list), at_(at) {}
    value_type operator*() const { return (*list_)[at_]; }
    ItemIterator& operator++() {
        ++at_;
        return *this;
    }
    ItemIterator operator++(int) { return {list_, at_++}; }
    bool operator==(const ItemIterator&) const = default;

private:
    const List* list_ = nullptr;
    std::size_t at_ = 0;
};

// A list that is made of packed records, with what a vector has for its readers.
template <class List, class ItemType>
class PackedList {
public:
    using Item = ItemType;
    std::size_t size() const { return records_.size(); }
    bool empty() const { return size() == 0; }
    std::size_t tokens_before(std::size_t sentence) const { return records_.tokens_before(sentence); }
    Item at(std::size_t sentence) const { return self()[sentence]; }
    Item front() const { return self()[0]; }
    Item back() const { return self()[size() - 1]; }
    ItemIterator<List> begin() const { return {&self(), 0}; }
    ItemIterator<List> end() const { return {&self(), size()}; }

protected:
    PackedRecords records_{};

private:
    const List& self() const { return static_cast<const List&>(*this); }
};

// The text that the model got in one piece: a sentence, or a part of a long one. Lent by its list.
struct SourceSentence {
    text::Range range;  // bytes of the text
    std::string_view language;  // a tag, with source_language "auto"; NUL follows
    float language_probability;
    uint32_t flags;  // SentenceFlags
    PackedTokens packed;  // with the bytes of the text that each stands for; none unless return_tokens
    const std::vector<tm::Match>& matches;  // segments of a translation memory that are like it

    Tokens tokens() const { return packed.tokens(); }
    std::vector<text::Range> ranges() const { return packed.ranges(); }
};

class SourceSentences : public PackedList<SourceSentences, SourceSentence> {
public:
    struct Facts {
        text::Range range{};
        std::string_view language{};
        float language_probability = 0.0f;
        uint32_t flags = 0;
        std::vector<tm::Match> matches{};
    };
    void add(Facts facts, const Tokens& tokens, std::span<const text::Range> ranges);
    SourceSentence operator[](std::size_t sentence) const;
    std::size_t bytes() const;  // of memory, about

private:
    struct Matches {
        std::size_t sentence;
        std::vector<tm::Match> found;
    };
    std::vector<Matches> matches_{};  // by sentence
};

// Lent by its list.
struct TranslatedSentence {
    std::size_t begin, size;  // bytes of the translation, as in Translation
    MeanScore score;
    PackedTokens packed;
    const Matrix& attention;
    const text::WordAlignment& alignment;
    const std::vector<TermUse>& terms;
    const std::vector<Unchanged>& unchanged;
    const Quality& quality;
    const Coverage& coverage;

    text::Range range() const { return {begin, begin + size}; }
};

class TranslatedSentences : public PackedList<TranslatedSentences, TranslatedSentence> {
public:
    // All but its text, which its list's owner has, and the search's notes.
    void add(Translation sentence);
    TranslatedSentence operator[](std::size_t sentence) const;
    void drop_alignments();
    std::size_t bytes() const;  // of memory, about

private:
    struct Rest {  // of the few that have it
        std::size_t sentence = 0;
        Matrix attention{};
        text::WordAlignment alignment{};
        std::vector<TermUse> terms{};
        std::vector<Unchanged> unchanged{};
        Quality quality{};
        Coverage coverage{};
    };
    std::vector<std::shared_ptr<Rest>> rests_{};  // by sentence; copies of the list share them
};

struct TextHypothesis {
    std::string text;  // with markup: the document's
    std::string plain{};  // with markup: the translations, to which all ranges refer
    TranslatedSentences sentences{};  // parallel to the source's, each at its place in the translation
    float score = 0.0f;  // mean of the sentences', weighted by their tokens
    float quality = 0.0f;  // likewise, by their words; 0 unless asked for

    PackedTokens packed_at(std::size_t sentence) const { return sentences[sentence].packed; }
    Tokens tokens(std::size_t sentence) const { return packed_at(sentence).tokens(); }
    std::vector<text::Range> ranges(std::size_t sentence) const { return packed_at(sentence).ranges(); }
    // A sentence with its text and tokens.
    Translation sentence(std::size_t at) const;
};

// Hypothesis i consists of the i-th hypothesis of every sentence (the last one of a sentence that has fewer).
struct TextResult {
    SourceSentences sentences{};
    std::vector<TextHypothesis> hypotheses{};  // at least one
    std::string plain_source{};  // of markup: its texts without tags, to which all ranges refer
};

// Adds the next sentence, behind a gap of text.
void add_sentence(TextHypothesis& all, Translation sentence, std::string_view gap);

// The translation of a text as that of one sentence. `sources` are its source sentences.
Translation whole(const TextHypothesis& hypothesis, const SourceSentences& sources);

struct ScoreResult {
    Tokens tokens;  // target tokens scored, end token last
    std::vector<float> log_probs;  // natural logarithm, one per token
    std::vector<text::Range> ranges{};  // of a text: the bytes of it that each token stands for; the end's are empty
};

}  // namespace dragoman::pipeline
