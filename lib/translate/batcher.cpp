// SPDX-License-Identifier: Apache-2.0
#include "translate/batcher.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/log.h"

namespace dragoman::translate {

using decode::SearchInput;
using decode::SearchOutput;

namespace {
std::size_t length(const SearchInput& input) {
    return std::max(input.source.size(), input.context.size() + input.prefix.size());
}
}  // namespace

std::size_t Batcher::batch_end(std::span<const SearchInput> sorted, const decode::SearchRules& rules) const {
    const auto longest = uint32_t(length(sorted.front()));
    const uint32_t fitting = search_.max_batch(longest, sorted.front().max_length, rules);
    const uint32_t most = std::max(std::min(limits_.sentences, fitting), 1u);
    std::size_t tokens = 0, end = 0;
    while (end < sorted.size() && end < most && (end == 0 || tokens + sorted[end].source.size() <= limits_.tokens))
        tokens += sorted[end++].source.size();
    return end;
}

decode::SearchRules Batcher::rules_for(std::span<const SearchInput> batch, const decode::SearchRules& rules) const {
    decode::SearchRules result = rules;
    if (!shortlist_) return result;
    std::vector<uint32_t> source;
    for (const SearchInput& input : batch) source.insert(source.end(), input.source.begin(), input.source.end());
    result.allowed = shortlist_->allowed(source);
    for (const uint32_t end : rules.end_ids)  // without them nothing would end
        if (!std::ranges::binary_search(result.allowed, end))
            result.allowed.insert(std::ranges::lower_bound(result.allowed, end), end);
    return result;
}

std::vector<SearchOutput> Batcher::run(std::vector<SearchInput> inputs, const decode::SearchRules& rules,
                                       const decode::Poll& poll) {
    std::vector<std::size_t> order(inputs.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return length(inputs[i]); });
    std::vector<SearchInput> sorted;
    for (const std::size_t i : order) sorted.push_back(std::move(inputs[i]));

    std::vector<SearchOutput> outputs(sorted.size());
    std::size_t done = 0, most = sorted.size();
    while (done < sorted.size()) {
        const auto rest = std::span<const SearchInput>(sorted).subspan(done);
        const std::size_t size = std::min(batch_end(rest, rules), most);
        const auto batch_poll = [&](std::size_t finished) { return !poll || poll(done + finished); };
        std::vector<SearchOutput> results;
        try {
            results = search_.run(rest.first(size), rules_for(rest.first(size), rules), batch_poll);
        } catch (const Error& error) {
            if (error.status() != Status::out_of_memory || size == 1) throw;
            log(LogLevel::info, "a batch of {} sentences does not fit, trying {}: {}", size, size / 2, error.what());
            search_.trim();
            most = size / 2;
            continue;
        }
        for (std::size_t i = 0; i < size; ++i) outputs[order[done + i]] = std::move(results[i]);
        done += size;
        if (!batch_poll(0)) fail(Status::cancelled, "translation cancelled by the progress callback");
    }
    return outputs;
}

}  // namespace dragoman::translate
