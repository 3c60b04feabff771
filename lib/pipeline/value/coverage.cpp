// SPDX-License-Identifier: Apache-2.0
#include "pipeline/value/coverage.h"

#include <algorithm>

#include "text/words.h"

namespace dragoman::pipeline {
namespace {

constexpr float kLinked = 0.4f;  // as text::links()

// The least weight of a row that makes a link; 0 where nothing is known.
float least_of_links(std::span<const float> row) {
    return row.empty() ? 0.0f : std::min(*std::ranges::max_element(row), kLinked);
}

}  // namespace

float Coverage::share() const {
    if (!measured) return 0.0f;
    if (words.empty()) return 1.0f;
    return float(std::ranges::count(reached, true)) / float(words.size());
}

WordRun Coverage::longest_unreached() const {
    WordRun longest, run;
    for (std::size_t w = 0; w < words.size(); ++w) {
        if (reached[w]) {
            run = {};
            continue;
        }
        if (run.words++ == 0) run.range.begin = words[w].begin;
        run.range.end = words[w].end;
        if (run.words > longest.words) longest = run;
    }
    return longest;
}

Coverage measure_coverage(const text::WordAlignment& alignment, std::string_view document,
                          std::string_view translation) {
    std::vector<bool> linked(alignment.source.size());
    for (std::size_t t = 0; t < alignment.target.size(); ++t) {
        if (!text::is_spoken(text::part(translation, alignment.target[t]))) continue;
        const std::span<const float> row = alignment.row(t);
        const float least = least_of_links(row);
        for (std::size_t s = 0; s < row.size(); ++s)
            if (row[s] > 0.0f && row[s] >= least) linked[s] = true;
    }
    Coverage coverage{.measured = true};
    for (std::size_t s = 0; s < alignment.source.size(); ++s) {
        if (!text::is_spoken(text::part(document, alignment.source[s]))) continue;
        coverage.words.push_back(alignment.source[s]);
        coverage.reached.push_back(linked[s]);
    }
    return coverage;
}

Coverage complete_coverage(std::string_view document, text::Range part) {
    Coverage coverage{.measured = true};
    const std::string_view text = text::part(document, part);
    for (const text::Range word : text::words(text))
        if (text::is_spoken(text::part(text, word)))
            coverage.words.push_back({word.begin + part.begin, word.end + part.begin});
    coverage.reached.assign(coverage.words.size(), true);
    return coverage;
}

}  // namespace dragoman::pipeline
