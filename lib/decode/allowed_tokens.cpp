// SPDX-License-Identifier: Apache-2.0
#include "decode/allowed_tokens.h"

#include <algorithm>

#include "base/error.h"

namespace dragoman::decode {

void AllowedTokens::enter(std::span<const uint32_t> ids) {
    for (const uint32_t id : ids)
        if (id >= uses_.size())
            fail(Status::bad_model, "shortlist: token {} is outside the target vocabulary of {}", id, uses_.size());
    for (const uint32_t id : ids) {
        if (uses_[id]++ == 0) ++used_;
        if (places_[id] == kNoPlace) missing_.push_back(id);
    }
}

void AllowedTokens::leave(std::span<const uint32_t> ids) {
    for (const uint32_t id : ids)
        if (--uses_[id] == 0) --used_;
}

bool AllowedTokens::assign_places(uint32_t capacity) {
    std::erase_if(missing_, [&](uint32_t id) { return uses_[id] == 0 || places_[id] != kNoPlace; });
    std::ranges::sort(missing_);
    missing_.erase(std::unique(missing_.begin(), missing_.end()), missing_.end());
    if (missing_.empty() && ids_.size() <= capacity) return true;
    if (used_ > capacity) return false;
    if (ids_.size() + missing_.size() > capacity) {
        ids_.clear();
        std::ranges::fill(places_, kNoPlace);
        missing_.clear();
        for (uint32_t id = 0; id < uses_.size(); ++id)
            if (uses_[id] > 0) missing_.push_back(id);
    }
    for (const uint32_t id : missing_) {
        places_[id] = uint32_t(ids_.size());
        ids_.push_back(id);
    }
    missing_.clear();
    changed_ = true;
    return true;
}

}  // namespace dragoman::decode
