// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Translations and scores. Part of dragoman.hpp.

#include <dragoman/basics.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace dragoman {
inline namespace v1 {  // keeps these names apart from the library's own in a static build

/// Translations; `input` and `hypothesis` count from 0, hypothesis 0 is the best.
class Result {
public:
    /// Takes the handle over.
    explicit Result(dragoman_result* handle) : handle_(handle) {}
    /// Number of inputs.
    std::size_t size() const { return dragoman_result_count(get()); }
    /// The job's input that the first one here belongs to, see Job::next().
    std::size_t first() const { return dragoman_result_first(get()); }
    /// Number of hypotheses for an input; 0 out of range.
    std::size_t hypotheses(std::size_t input) const { return dragoman_result_hypothesis_count(get(), input); }
    /// The translation; a model without tokenizer gives only tokens().
    std::string_view text(std::size_t input, std::size_t hypothesis = 0) const {
        return view(detail::read<dragoman_string>(dragoman_result_text, get(), input, hypothesis));
    }
    /// With markup: the source without its tags, to which ranges refer.
    std::string_view plain_source(std::size_t input) const {
        return view(detail::read<dragoman_string>(dragoman_result_plain_source, get(), input));
    }
    /// With markup: the translation without its tags, to which ranges refer.
    std::string_view plain_text(std::size_t input, std::size_t hypothesis = 0) const {
        return view(detail::read<dragoman_string>(dragoman_result_plain_text, get(), input, hypothesis));
    }
    /// The translation in target tokens.
    std::span<const dragoman_string> tokens(std::size_t input, std::size_t hypothesis = 0) const {
        return view(detail::read<dragoman_tokens>(dragoman_result_tokens, get(), input, hypothesis));
    }
    /// The bytes of text() that each of them stands for.
    std::span<const dragoman_range> ranges(std::size_t input, std::size_t hypothesis = 0) const {
        return view(detail::read<dragoman_ranges>(dragoman_result_ranges, get(), input, hypothesis));
    }
    /// What was translated, in source tokens.
    std::span<const dragoman_string> source_tokens(std::size_t input) const {
        return view(detail::read<dragoman_tokens>(dragoman_result_source_tokens, get(), input));
    }
    /// The bytes of the text that was given which each of them stands for.
    std::span<const dragoman_range> source_ranges(std::size_t input) const {
        return view(detail::read<dragoman_ranges>(dragoman_result_source_ranges, get(), input));
    }
    /// See dragoman_result_score(); 0 unless return_scores was set.
    float score(std::size_t input, std::size_t hypothesis = 0) const {
        return detail::read<float>(dragoman_result_score, get(), input, hypothesis);
    }
    /// Target tokens by source tokens, see dragoman_result_attention().
    dragoman_matrix attention(std::size_t input, std::size_t hypothesis = 0) const {
        return detail::read<dragoman_matrix>(dragoman_result_attention, get(), input, hypothesis);
    }
    /// How good the translation probably is, see dragoman_result_quality().
    float quality(std::size_t input, std::size_t hypothesis = 0) const {
        return detail::read<float>(dragoman_result_quality, get(), input, hypothesis);
    }
    /// Number of sentences of a text; 0 for an input of tokens.
    std::size_t sentences(std::size_t input) const { return dragoman_result_sentence_count(get(), input); }
    /// Where a sentence and its translation are.
    dragoman_sentence sentence(std::size_t input, std::size_t hypothesis, std::size_t sentence) const {
        return detail::read<dragoman_sentence>(dragoman_result_sentence, get(), input, hypothesis, sentence);
    }
    /// Terms of the glossary that a sentence has.
    std::vector<dragoman_term> terms(std::size_t input, std::size_t hypothesis, std::size_t sentence) const {
        std::vector<dragoman_term> found(dragoman_result_term_count(get(), input, hypothesis, sentence));
        for (std::size_t i = 0; i < found.size(); ++i)
            found[i] = detail::read<dragoman_term>(dragoman_result_term, get(), input, hypothesis, sentence, i);
        return found;
    }
    /// Segments of the memory that are like a sentence.
    std::vector<dragoman_match> matches(std::size_t input, std::size_t sentence) const {
        std::vector<dragoman_match> found(dragoman_result_match_count(get(), input, sentence));
        for (std::size_t i = 0; i < found.size(); ++i)
            found[i] = detail::read<dragoman_match>(dragoman_result_match, get(), input, sentence, i);
        return found;
    }
    /// Attention within a sentence.
    dragoman_matrix sentence_attention(std::size_t input, std::size_t hypothesis, std::size_t sentence) const {
        return detail::read<dragoman_matrix>(dragoman_result_sentence_attention, get(), input, hypothesis, sentence);
    }
    /// Words of a sentence, in bytes of the text that was given; none unless return_alignment was set.
    std::span<const dragoman_range> source_words(std::size_t input, std::size_t hypothesis,
                                                 std::size_t sentence) const {
        return view(detail::read<dragoman_ranges>(dragoman_result_source_words, get(), input, hypothesis, sentence));
    }
    /// Words of its translation, in bytes of text().
    std::span<const dragoman_range> target_words(std::size_t input, std::size_t hypothesis,
                                                 std::size_t sentence) const {
        return view(detail::read<dragoman_ranges>(dragoman_result_target_words, get(), input, hypothesis, sentence));
    }
    /// How probable it is that each of these words is right; none unless return_quality was set.
    std::span<const float> word_quality(std::size_t input, std::size_t hypothesis, std::size_t sentence) const {
        const auto row = detail::read<dragoman_matrix>(dragoman_result_word_quality, get(), input, hypothesis,
                                                       sentence);
        return {row.data, row.cols};
    }
    /// Target words by source words, see dragoman_result_sentence_alignment().
    dragoman_matrix alignment(std::size_t input, std::size_t hypothesis, std::size_t sentence) const {
        return detail::read<dragoman_matrix>(dragoman_result_sentence_alignment, get(), input, hypothesis, sentence);
    }
    /// The whole text's in Pharaoh's format, see dragoman_result_pharaoh().
    std::string_view pharaoh(std::size_t input, std::size_t hypothesis = 0) const {
        return view(detail::read<dragoman_string>(dragoman_result_pharaoh, get(), input, hypothesis));
    }
    /// For C functions; still this object's.
    const dragoman_result* get() const { return handle_.get(); }

private:
    detail::Handle<dragoman_result, dragoman_result_destroy> handle_;
};

/// Log-probabilities of given translations.
class Scores {
public:
    /// Takes the handle over.
    explicit Scores(dragoman_scores* handle) : handle_(handle) {}
    /// Number of pairs.
    std::size_t size() const { return dragoman_scores_count(get()); }
    /// The tokens that were scored, end token last.
    std::span<const dragoman_string> tokens(std::size_t pair) const {
        return view(detail::read<dragoman_tokens>(dragoman_scores_tokens, get(), pair));
    }
    /// The natural log-probability of each of them.
    std::span<const float> log_probs(std::size_t pair) const {
        const auto matrix = detail::read<dragoman_matrix>(dragoman_scores_log_probs, get(), pair);
        return {matrix.data, matrix.cols};
    }
    /// See dragoman_scores_ranges().
    std::span<const dragoman_range> ranges(std::size_t pair) const {
        return view(detail::read<dragoman_ranges>(dragoman_scores_ranges, get(), pair));
    }
    /// For C functions; still this object's.
    const dragoman_scores* get() const { return handle_.get(); }

private:
    detail::Handle<dragoman_scores, dragoman_scores_destroy> handle_;
};

}  // namespace v1
}  // namespace dragoman
