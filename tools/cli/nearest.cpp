// SPDX-License-Identifier: Apache-2.0
#include "nearest.h"

#include <algorithm>
#include <cstddef>

namespace cli {
namespace {

// Optimal string alignment, a restricted form of the distance of Damerau 1964.
std::size_t letters_between(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                rows[i][j] = i + j;
                continue;
            }
            const std::size_t changed = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, changed});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
        }
    }
    return rows[a.size()][b.size()];
}

}  // namespace

std::string nearest(const std::string& text, const std::vector<std::string>& names) {
    constexpr std::size_t kLongest = 100;  // no name is as long
    std::string found;
    std::size_t best = std::max<std::size_t>(2, text.size() / 3) + 1;
    if (text.size() > kLongest) return found;
    for (const std::string& name : names) {
        const std::size_t letters = letters_between(text, name);
        if (letters >= best) continue;
        best = letters;
        found = name;
    }
    return found;
}

}  // namespace cli
