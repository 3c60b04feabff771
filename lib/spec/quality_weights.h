// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace dragoman::spec {

// The features of a word from which its score is made. The first one is always 1.
enum class WordFeature : std::size_t {
    one,
    log_prob,   // mean over its tokens
    least,      // the least of its tokens
    entropy,    // mean
    gap,        // mean difference to the most probable token
    margin,     // the least margin between the best token and the second
    tokens,     // logarithm of their number
    focus,      // entropy of its attention, mean over its tokens
    copied,     // 1: the source has the word, too
    spoken,     // 1: the word has a letter or digit
    length,     // logarithm of its characters
    around,     // mean log-probability of the neighbouring words
    sentence,   // mean log-probability of the sentence's tokens
    count
};

// The features of a sentence.
enum class SentenceFeature : std::size_t {
    one,
    log_prob,    // mean over its tokens
    least,       // the least of its tokens
    deviation,   // deviation of the tokens from their mean
    entropy,     // mean
    end,         // log-probability of its end
    words,       // mean of its words' scores
    worst,       // the lowest of them
    by_letters,  // their mean, weighted by characters
    length,      // logarithm of its words
    left_out,    // share of the source's tokens that hardly anything attends to
    repeated,    // share of the source's tokens that more than two tokens attend to
    focus,       // entropy of attention, mean over its tokens
    ratio,       // difference between the logarithms of its tokens and the source's, as a distance from 0
    copied,      // share of its words that the source has, too
    spoken,      // share of its words that have letters or digits
    letters,     // logarithm of the characters of such a word, on average
    numbers,     // 1: a number of the source is missing
    count
};

inline constexpr std::array<const char*, std::size_t(WordFeature::count)> kWordFeatures = {
    "one",   "log_prob", "least",  "entropy", "gap",    "margin",  "tokens",
    "focus", "copied",   "spoken", "length",  "around", "sentence"};
inline constexpr std::array<const char*, std::size_t(SentenceFeature::count)> kSentenceFeatures = {
    "one",    "log_prob", "least",    "deviation", "entropy", "end",    "words",  "worst",   "by_letters",
    "length", "left_out", "repeated", "focus",     "ratio",   "copied", "spoken", "letters", "numbers"};

using WordFeatures = std::array<float, kWordFeatures.size()>;
using SentenceFeatures = std::array<float, kSentenceFeatures.size()>;

// Weights of logistic regressions: a word's score estimates the probability that a reference translation has the word,
// a sentence's its chrF.
struct QualityWeights {
    QualityWeights();  // the default weights, for models without weights of their own
    WordFeatures word;
    SentenceFeatures sentence;
    bool operator==(const QualityWeights&) const = default;
};

}  // namespace dragoman::spec
