// SPDX-License-Identifier: Apache-2.0
#include "spec/shortlist.h"

#include <utility>

#include "base/error.h"

namespace dragoman::spec {
namespace {

constexpr uint32_t kMultiple = 8;

}  // namespace

Shortlist::Shortlist(Sizes sizes, uint32_t first, std::vector<uint64_t> begins, std::vector<uint32_t> targets)
    : sizes_(sizes), first_(first), begins_(std::move(begins)), targets_(std::move(targets)) {
    DRAGOMAN_ASSERT(first_ <= sizes_.target && begins_.size() == std::size_t{sizes_.source} + 1);
    DRAGOMAN_ASSERT(begins_.back() == targets_.size());
}

std::vector<uint32_t> Shortlist::allowed(std::span<const uint32_t> source_ids) const {
    std::vector<bool> taken(sizes_.target);
    uint32_t count = 0;
    const auto take = [&](uint32_t id) {
        if (id >= taken.size() || taken[id]) return;
        taken[id] = true;
        ++count;
    };
    for (uint32_t id = 0; id < first_; ++id) take(id);
    for (const uint32_t source : source_ids) {
        DRAGOMAN_ASSERT(source < sizes_.source);
        for (uint64_t i = begins_[source]; i < begins_[source + 1]; ++i) take(targets_[i]);
        if (sizes_.shared) take(source);
    }
    for (uint32_t id = first_; id < sizes_.target && count % kMultiple; ++id) take(id);
    std::vector<uint32_t> ids;
    ids.reserve(count);
    for (uint32_t id = 0; id < sizes_.target; ++id)
        if (taken[id]) ids.push_back(id);
    return ids;
}

}  // namespace dragoman::spec
