// SPDX-License-Identifier: Apache-2.0
#include "markup/aligned_unit.h"

#include <algorithm>

#include "text/words.h"

namespace dragoman::markup {
namespace {

constexpr std::size_t kMaxWords = 1u << 10;  // per sentence; words beyond them have no place of their own

// Aligns by position: each target word stands for the source words at its share of the length.
text::WordAlignment by_place(std::string_view source, std::string_view target) {
    text::WordAlignment result{.source = text::words(source), .target = text::words(target)};
    result.source.resize(std::min(result.source.size(), kMaxWords));
    result.target.resize(std::min(result.target.size(), kMaxWords));
    const std::size_t columns = result.source.size(), rows = result.target.size();
    result.weights.assign(rows * columns, 0.0f);
    for (std::size_t w = 0; w < rows; ++w) {
        const double begin = double(w * columns) / double(rows), end = double((w + 1) * columns) / double(rows);
        for (auto v = std::size_t(begin); v < columns && double(v) < end; ++v) {
            const double part = std::min(end, double(v + 1)) - std::max(begin, double(v));
            result.weights[w * columns + v] = float(part / (end - begin));
        }
    }
    return result;
}

Words words_in(const std::vector<Range>& words, Range bytes) {
    const auto first = std::ranges::upper_bound(words, bytes.begin, {}, &Range::end);
    const auto last = std::ranges::lower_bound(words, bytes.end, {}, &Range::begin);
    return {std::size_t(first - words.begin()), std::size_t(std::max(first, last) - words.begin())};
}

// Words of literals stand for each other, whatever attention says.
void tie(text::WordAlignment& words, const AlignedSentence& sentence) {
    const auto within = [](Range range, Range whole) {
        return Range{range.begin - whole.begin, range.end - whole.begin};
    };
    const std::size_t columns = words.source.size();
    for (const Unchanged& literal : sentence.literals) {
        const Words source = words_in(words.source, within(literal.source, sentence.source));
        const Words target = words_in(words.target, within(literal.target, sentence.target));
        if (source.size() == 0) continue;
        for (std::size_t w = 0; w < words.target.size(); ++w) {
            const bool own = w >= target.begin && w < target.end;
            for (std::size_t v = 0; own && v < columns; ++v) words.weights[w * columns + v] = 0.0f;
            for (std::size_t v = source.begin; v < source.end; ++v)
                words.weights[w * columns + v] = own ? 1.0f / float(source.size()) : 0.0f;
        }
    }
}

}  // namespace

AlignedUnit::AlignedUnit(std::string_view source, std::string_view target, std::span<const AlignedSentence> sentences,
                         bool in_order) {
    for (const AlignedSentence& sentence : sentences) add(source, target, sentence, in_order);
}

void AlignedUnit::add(std::string_view source, std::string_view target, const AlignedSentence& sentence,
                      bool in_order) {
    const std::string_view own_source = text::part(source, sentence.source);
    const std::string_view own_target = text::part(target, sentence.target);
    const bool known = !sentence.words.weights.empty() && !in_order && own_source != own_target;
    text::WordAlignment words = known ? sentence.words : by_place(own_source, own_target);
    tie(words, sentence);
    const std::size_t columns = words.source.size();
    Sentence result{.source = {source_.size(), source_.size() + columns},
                    .target = {target_.size(), target_.size() + words.target.size()}};
    result.sums.resize(words.target.size() * (columns + 1));
    for (std::size_t w = 0; w < words.target.size(); ++w)
        for (std::size_t v = 0; v < columns; ++v)
            result.sums[w * (columns + 1) + v + 1] = result.sums[w * (columns + 1) + v] + words.at(w, v);
    const auto put = [](const std::vector<Range>& from, std::string_view text, std::size_t offset,
                        std::vector<Range>& to, std::vector<bool>& spoken) {
        for (const Range word : from) {
            to.push_back({word.begin + offset, word.end + offset});
            spoken.push_back(text::is_spoken(text::part(text, word)));
        }
    };
    put(words.source, own_source, sentence.source.begin, source_, source_spoken_);
    put(words.target, own_target, sentence.target.begin, target_, target_spoken_);
    sentence_.resize(source_.size(), sentences_.size());
    sentences_.push_back(std::move(result));
}

float AlignedUnit::share(const Sentence& sentence, std::size_t target_word, Words of) const {
    const float* row = &sentence.sums[(target_word - sentence.target.begin) * (sentence.source.size() + 1)];
    const std::size_t begin = std::max(of.begin, sentence.source.begin), end = std::min(of.end, sentence.source.end);
    return begin < end ? row[end - sentence.source.begin] - row[begin - sentence.source.begin] : 0.0f;
}

Words AlignedUnit::words_in(Range bytes) const { return markup::words_in(source_, bytes); }

Words AlignedUnit::target_words_in(Range bytes) const { return markup::words_in(target_, bytes); }

}  // namespace dragoman::markup
