// SPDX-License-Identifier: Apache-2.0
#include "translate/batcher.h"

#include <algorithm>
#include <numeric>

namespace dragoman::translate {

using decode::SearchInput;
using decode::SearchOutput;

namespace {
std::size_t length(const SearchInput& input) {
    return std::max(input.source.size(), input.context.size() + input.prefix.size());
}
}  // namespace

void Batcher::limit(SearchInput& input, const decode::SearchRules& rules) const {
    input.allowed = shortlist_->allowed(input.source);
    for (const uint32_t end : rules.end_ids)  // without them nothing would end
        if (!std::ranges::binary_search(input.allowed, end))
            input.allowed.insert(std::ranges::lower_bound(input.allowed, end), end);
}

std::vector<SearchOutput> Batcher::run(std::vector<SearchInput> inputs, const decode::SearchRules& rules,
                                       const decode::Poll& poll) {
    std::vector<std::size_t> order(inputs.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return length(inputs[i]); });
    std::vector<SearchInput> sorted;
    for (const std::size_t i : order) {
        sorted.push_back(std::move(inputs[i]));
        if (shortlist_) limit(sorted.back(), rules);
    }
    std::vector<SearchOutput> found = search_.run(sorted, rules, poll, limits_), outputs(found.size());
    for (std::size_t i = 0; i < order.size(); ++i) outputs[order[i]] = std::move(found[i]);
    return outputs;
}

}  // namespace dragoman::translate
