// SPDX-License-Identifier: Apache-2.0
#include "pipeline/value/fields.h"

#include <algorithm>
#include <iterator>

namespace dragoman::pipeline {
namespace {

using text::Range;
using text::WordAlignment;

void shift(Range& range, std::ptrdiff_t by) { range = {range.begin + std::size_t(by), range.end + std::size_t(by)}; }

template <class Item>
void move_to(std::vector<Item>& all, std::vector<Item>&& more) {
    if (all.empty()) all = std::move(more);
    else all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

template <class Item>
std::vector<Item> part_of(const std::vector<Item>& whole, Range places) {
    const std::size_t end = std::min(places.end, whole.size()), begin = std::min(places.begin, end);
    return {whole.begin() + std::ptrdiff_t(begin), whole.begin() + std::ptrdiff_t(end)};
}

bool holds(Range range, Range inner) { return range.begin <= inner.begin && inner.end <= range.end; }

// The places of those ranges of an ordered list that lie in a range.
Range places_in(const std::vector<Range>& ordered, Range range) {
    const auto first = std::ranges::lower_bound(ordered, range.begin, {}, &Range::begin);
    const auto last = std::ranges::upper_bound(first, ordered.end(), range.end, {}, &Range::end);
    return {std::size_t(first - ordered.begin()), std::size_t(last - ordered.begin())};
}

// Two blocks of rows: their columns stand beside each other.
struct Block {
    std::span<const float> values;
    std::size_t rows, cols;
};

std::vector<float> beside(const Block& left, const Block& right) {
    const std::size_t columns = left.cols + right.cols;
    std::vector<float> all((left.rows + right.rows) * columns, 0.0f);
    const auto copy = [&](const Block& block, std::size_t first_row, std::size_t first_column) {
        for (std::size_t r = 0; r < block.rows; ++r)
            std::ranges::copy(block.values.subspan(r * block.cols, block.cols),
                              all.begin() + std::ptrdiff_t((first_row + r) * columns + first_column));
    };
    copy(left, 0, 0);
    copy(right, left.rows, left.cols);
    return all;
}

Block block_of(const Matrix& matrix) { return {matrix.values, matrix.rows, matrix.cols}; }

Block block_of(const WordAlignment& words) { return {words.weights, words.target.size(), words.source.size()}; }

// The attention of a token of the text between over the first source: the mean over the token's bytes.
std::vector<float> spread(const Translation& first, Range between) {
    std::vector<float> row(first.attention.cols, 0.0f);
    if (between.size() == 0) return row;
    const auto begin = std::ranges::upper_bound(first.ranges, between.begin, {}, &Range::end);
    for (auto at = begin; at != first.ranges.end() && at->begin < between.end; ++at) {
        const auto token = std::size_t(at - first.ranges.begin());
        if (token >= first.attention.rows) break;
        const float share = float(overlap(*at, between)) / float(between.size());
        for (std::size_t s = 0; s < row.size(); ++s) row[s] += share * first.attention[token][s];
    }
    return row;
}

}  // namespace

void shift(std::string&, std::ptrdiff_t) {}

void append(std::string& all, std::string&& more, const Seam& seam) {
    all += seam.gap;
    all += more;
}

std::string compose(const std::string&, const std::string& second, const Pivot&) { return second; }

std::string cut(const std::string& whole, const Stretch& stretch, const Translation& of) {
    return whole.substr(stretch.target.begin - of.begin, stretch.target.size());
}

void shift(Tokens&, std::ptrdiff_t) {}

void append(Tokens& all, Tokens&& more, const Seam&) { move_to(all, std::move(more)); }

Tokens compose(const Tokens&, const Tokens& second, const Pivot&) { return second; }

Tokens cut(const Tokens& whole, const Stretch& stretch, const Translation&) { return part_of(whole, stretch.tokens); }

void shift(std::vector<Range>& ranges, std::ptrdiff_t by) {
    for (Range& range : ranges) shift(range, by);
}

void append(std::vector<Range>& all, std::vector<Range>&& more, const Seam&) { move_to(all, std::move(more)); }

std::vector<Range> compose(const std::vector<Range>&, const std::vector<Range>& second, const Pivot&) { return second; }

std::vector<Range> cut(const std::vector<Range>& whole, const Stretch& stretch, const Translation&) {
    return part_of(whole, stretch.tokens);
}

void MeanScore::add(const MeanScore& more) {
    if (more.tokens_ == 0) return;
    tokens_ += more.tokens_;
    sum_ += more.sum_;
    value_ = float(sum_ / double(tokens_));
}

void shift(MeanScore&, std::ptrdiff_t) {}

void append(MeanScore& all, MeanScore&& more, const Seam&) { all.add(more); }

MeanScore compose(const MeanScore& first, const MeanScore& second, const Pivot& pivot) {
    return {first + second, pivot.second.tokens.size()};
}

MeanScore cut(const MeanScore& whole, const Stretch& stretch, const Translation&) {
    return {whole, stretch.tokens.size()};
}

void shift(Matrix&, std::ptrdiff_t) {}

void append(Matrix& all, Matrix&& more, const Seam&) {
    Matrix both;
    both.values = beside(block_of(all), block_of(more));
    both.rows = all.rows + more.rows;
    both.cols = all.cols + more.cols;
    all = std::move(both);
}

Matrix compose(const Matrix& first, const Matrix& second, const Pivot& pivot) {
    if (first.empty()) return {};
    std::vector<std::vector<float>> of_source;
    for (const Range range : pivot.between) of_source.push_back(spread(pivot.first, range));
    Matrix rows(pivot.second.tokens.size(), first.cols);  // zeros where the second one was copied
    for (std::size_t t = 0; t < std::min(rows.rows, second.rows); ++t) {
        const std::span<const float> over_between = second[t];
        const std::span<float> row = rows[t];
        for (std::size_t q = 0; q < std::min(of_source.size(), second.cols); ++q)
            for (std::size_t s = 0; over_between[q] != 0.0f && s < row.size(); ++s)
                row[s] += over_between[q] * of_source[q][s];
    }
    return rows;
}

Matrix cut(const Matrix& whole, const Stretch& stretch, const Translation&) {
    if (whole.empty()) return {};
    Matrix part(stretch.tokens.size(), stretch.source_tokens.size());
    for (std::size_t t = 0; t < part.rows; ++t)
        for (std::size_t s = 0; s < part.cols; ++s)
            part[t][s] = whole[stretch.tokens.begin + t][stretch.source_tokens.begin + s];
    return part;
}

void shift(WordAlignment& alignment, std::ptrdiff_t by) { shift(alignment.target, by); }

void append(WordAlignment& all, WordAlignment&& more, const Seam& seam) {
    all.weights = beside(block_of(all), block_of(more));
    append(all.source, std::move(more.source), seam);
    append(all.target, std::move(more.target), seam);
}

// Rows of target words over the words between become rows over the first source's words.
WordAlignment compose(const WordAlignment& first, const WordAlignment& second, const Pivot&) {
    if (first.source.empty()) return {};
    WordAlignment all{.source = first.source, .target = second.target};
    const std::size_t width = first.source.size();
    for (std::size_t t = 0; t < second.target.size(); ++t) {
        std::vector<float> row(width, 0.0f);
        float sum = 0.0f;
        for (std::size_t q = 0; q < second.source.size(); ++q) {
            const Range between = second.source[q];
            const float weight = second.at(t, q);
            for (std::size_t p = 0; weight > 0.0f && p < first.target.size(); ++p) {
                const float share = float(overlap(first.target[p], between)) / float(between.size()) * weight;
                for (std::size_t s = 0; share > 0.0f && s < width; ++s) row[s] += share * first.at(p, s);
            }
        }
        for (const float weight : row) sum += weight;
        for (const float weight : row) all.weights.push_back(sum > 0.0f ? weight / sum : 0.0f);
    }
    return all;
}

WordAlignment cut(const WordAlignment& whole, const Stretch& stretch, const Translation&) {
    const Range rows = places_in(whole.target, stretch.target), columns = places_in(whole.source, stretch.source);
    WordAlignment part{.source = part_of(whole.source, columns), .target = part_of(whole.target, rows)};
    for (std::size_t t = rows.begin; t < rows.end; ++t)
        for (std::size_t s = columns.begin; s < columns.end; ++s) part.weights.push_back(whole.at(t, s));
    return part;
}

void shift(std::vector<TermUse>&, std::ptrdiff_t) {}

void append(std::vector<TermUse>& all, std::vector<TermUse>&& more, const Seam&) { move_to(all, std::move(more)); }

std::vector<TermUse> compose(const std::vector<TermUse>& first, const std::vector<TermUse>& second, const Pivot&) {
    std::vector<TermUse> all = first;
    all.insert(all.end(), second.begin(), second.end());
    return all;
}

std::vector<TermUse> cut(const std::vector<TermUse>& whole, const Stretch& stretch, const Translation&) {
    std::vector<TermUse> part;
    std::ranges::copy_if(whole, std::back_inserter(part),
                         [&](const TermUse& term) { return holds(stretch.source, term.source); });
    return part;
}

void shift(std::vector<Unchanged>& unchanged, std::ptrdiff_t by) {
    for (Unchanged& one : unchanged) shift(one.target, by);
}

void append(std::vector<Unchanged>& all, std::vector<Unchanged>&& more, const Seam&) { move_to(all, std::move(more)); }

// What both have left as it was.
std::vector<Unchanged> compose(const std::vector<Unchanged>& first, const std::vector<Unchanged>& second,
                               const Pivot&) {
    std::vector<Unchanged> both;
    for (const Unchanged& after : second)
        for (const Unchanged& before : first)
            if (after.source == before.target) both.push_back({before.source, after.target});
    return both;
}

std::vector<Unchanged> cut(const std::vector<Unchanged>& whole, const Stretch& stretch, const Translation&) {
    std::vector<Unchanged> part;
    std::ranges::copy_if(whole, std::back_inserter(part),
                         [&](const Unchanged& one) { return holds(stretch.target, one.target); });
    return part;
}

void shift(Quality& quality, std::ptrdiff_t by) { shift(quality.words, by); }

// The score is the mean of both, by their words.
void append(Quality& all, Quality&& more, const Seam& seam) {
    const auto before = double(all.words.size()), words = double(more.words.size());
    if (before + words > 0)
        all.score = float((double(all.score) * before + double(more.score) * words) / (before + words));
    append(all.words, std::move(more.words), seam);
    move_to(all.scores, std::move(more.scores));
    all.evidence = {};
}

// Words are right where both are, as far as the first one's are on the whole; the sentence is as good as the worse one.
Quality compose(const Quality& first, const Quality& second, const Pivot&) {
    if (first.empty()) return {};
    Quality all{.score = std::min(first.score, second.score), .words = second.words};
    double mean = 0.0;
    for (const float score : first.scores) mean += double(score) / double(first.scores.size());
    for (const float score : second.scores) all.scores.push_back(float(double(score) * mean));
    return all;
}

Quality cut(const Quality& whole, const Stretch& stretch, const Translation&) {
    const Range words = places_in(whole.words, stretch.target);
    return {.score = whole.score, .words = part_of(whole.words, words), .scores = part_of(whole.scores, words)};
}

void shift(SearchNotes& notes, std::ptrdiff_t by) { shift(notes.put_in, by); }

void append(SearchNotes& all, SearchNotes&&, const Seam&) { all = {}; }

SearchNotes compose(const SearchNotes&, const SearchNotes&, const Pivot&) { return {}; }

SearchNotes cut(const SearchNotes&, const Stretch&, const Translation&) { return {}; }

}  // namespace dragoman::pipeline
