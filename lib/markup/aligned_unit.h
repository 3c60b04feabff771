// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "markup/project.h"

namespace dragoman::markup {

// Words [begin, end).
using Words = text::Range;

// The words of a unit and of its translation, over all sentences in order.
class AlignedUnit {
public:
    struct Sentence {
        Words source{}, target{};
        std::vector<float> sums;  // [target word][source word]: the sum of the weights of the words before it
    };

    // in_order: the alignment is by position, whatever is known of it.
    AlignedUnit(std::string_view source, std::string_view target, std::span<const AlignedSentence> sentences,
                bool in_order);

    const std::vector<Range>& source() const { return source_; }
    const std::vector<Range>& target() const { return target_; }
    bool source_spoken(std::size_t word) const { return source_spoken_[word]; }
    bool target_spoken(std::size_t word) const { return target_spoken_[word]; }
    const Sentence& sentence_of(std::size_t source_word) const { return sentences_[sentence_[source_word]]; }
    bool same_sentence(std::size_t a, std::size_t b) const { return sentence_[a] == sentence_[b]; }
    // The share of a target word's weight that lies in these source words of the same sentence.
    float share(const Sentence& sentence, std::size_t target_word, Words of) const;
    Words words_in(Range bytes) const;  // source words that overlap these bytes
    Words target_words_in(Range bytes) const;

private:
    void add(std::string_view source, std::string_view target, const AlignedSentence& sentence, bool in_order);

    std::vector<Range> source_, target_;
    std::vector<bool> source_spoken_, target_spoken_;
    std::vector<std::size_t> sentence_;  // sentence of each source word
    std::vector<Sentence> sentences_;
};

}  // namespace dragoman::markup
