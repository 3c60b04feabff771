// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>

#include "markup/aligned_unit.h"

namespace dragoman::markup {

// Runs of target words that siblings cover.
class Taken {
public:
    void add(Words words) {
        if (words.size() > 0) ends_[words.begin] = words.end;
    }
    // The first free word from `word` on.
    std::size_t free_from(std::size_t word) const {
        for (auto after = ends_.upper_bound(word); after != ends_.begin();) {
            if (std::prev(after)->second <= word) break;
            word = std::prev(after)->second;
            after = ends_.upper_bound(word);
        }
        return word;
    }
    // The end of the run of free words that contains `word`.
    std::size_t free_until(std::size_t word, std::size_t limit) const {
        const auto after = ends_.lower_bound(word);
        return after == ends_.end() ? limit : std::min(limit, after->first);
    }
    bool empty() const { return ends_.empty(); }

private:
    std::map<std::size_t, std::size_t> ends_;
};

}  // namespace dragoman::markup
