// SPDX-License-Identifier: Apache-2.0
#include "pipeline/value/coverage.h"

#include <algorithm>

#include "pipeline/value/fields.h"
#include "text/words.h"

namespace dragoman::pipeline {
namespace {

// The least weight of a row that makes a link; 0 where nothing is known.
float least_of_links(std::span<const float> row) {
    return row.empty() ? 0.0f : std::min(*std::ranges::max_element(row), text::kLinkWeight);
}

// The source words that are linked to some target word that `counts`.
template <class Counts>
std::vector<bool> linked_words(const text::WordAlignment& alignment, const Counts& counts) {
    std::vector<bool> linked(alignment.source.size());
    for (std::size_t t = 0; t < alignment.target.size(); ++t) {
        if (!counts(alignment.target[t])) continue;
        const std::span<const float> row = alignment.row(t);
        const float least = least_of_links(row);
        for (std::size_t s = 0; s < row.size(); ++s)
            if (row[s] > 0.0f && row[s] >= least) linked[s] = true;
    }
    return linked;
}

void add(Coverage& coverage, text::Range word, bool reached) {
    coverage.words.push_back(word);
    coverage.reached.push_back(reached);
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
    const std::vector<bool> linked =
        linked_words(alignment, [&](text::Range word) { return text::is_spoken(text::part(translation, word)); });
    Coverage coverage{.measured = true};
    for (std::size_t s = 0; s < alignment.source.size(); ++s)
        if (text::is_spoken(text::part(document, alignment.source[s]))) add(coverage, alignment.source[s], linked[s]);
    return coverage;
}

Coverage complete_coverage(std::string_view document, text::Range part) {
    Coverage coverage{.measured = true};
    const std::string_view text = text::part(document, part);
    for (const text::Range word : text::words(text))
        if (text::is_spoken(text::part(text, word)))
            add(coverage, {word.begin + part.begin, word.end + part.begin}, true);
    return coverage;
}

void shift(Coverage&, std::ptrdiff_t) {}

void append(Coverage& all, Coverage&& more, const Seam&) {
    all.measured |= more.measured;
    all.words.insert(all.words.end(), more.words.begin(), more.words.end());
    all.reached.insert(all.reached.end(), more.reached.begin(), more.reached.end());
}

// A word is reached through words of the text between that the second translation reaches.
Coverage compose(const Coverage& first, const Coverage& second, const Pivot& pivot) {
    const text::WordAlignment& alignment = pivot.first.alignment;
    const std::vector<bool> linked = linked_words(alignment, [&](text::Range between) {
        for (std::size_t w = 0; w < second.words.size(); ++w)
            if (second.reached[w] && overlap(second.words[w], between) > 0) return true;
        return false;
    });
    Coverage both = first;
    for (std::size_t w = 0, s = 0; w < both.words.size(); ++w) {
        while (s < alignment.source.size() && alignment.source[s] != both.words[w]) ++s;
        both.reached[w] = both.reached[w] && s < linked.size() && linked[s];
    }
    return both;
}

Coverage cut(const Coverage& whole, const Stretch& stretch, const Translation&) {
    Coverage part{.measured = whole.measured};
    for (std::size_t w = 0; w < whole.words.size(); ++w)
        if (stretch.source.begin <= whole.words[w].begin && whole.words[w].end <= stretch.source.end)
            add(part, whole.words[w], whole.reached[w]);
    return part;
}

}  // namespace dragoman::pipeline
