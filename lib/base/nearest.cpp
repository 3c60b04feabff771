// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace dragoman {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j)
            diagonal = std::exchange(row[j + 1],
                                     std::min({row[j] + 1, row[j + 1] + 1, diagonal + (a[i] == b[j] ? 0 : 1)}));
    }
    return row.back();
}

std::vector<std::string> nearest_names(std::string_view text, std::span<const std::string> names, std::size_t most) {
    constexpr std::size_t kCompared = 128;
    std::vector<std::pair<std::size_t, std::size_t>> order;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string_view name = names[i];
        order.emplace_back(edit_distance(text.substr(0, kCompared), name.substr(0, kCompared)), i);
    }
    most = std::min(most, order.size());
    std::ranges::partial_sort(order, order.begin() + std::ptrdiff_t(most));
    std::vector<std::string> nearest;
    for (std::size_t i = 0; i < most; ++i) nearest.push_back(names[order[i].second]);
    return nearest;
}

}  // namespace dragoman
