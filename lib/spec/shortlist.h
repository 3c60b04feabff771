// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dragoman::spec {

// A lexical shortlist: the likely target tokens for each source token, so that only these are scored. Immutable: any
// number of threads may use one.
class Shortlist {
public:
    struct Sizes {
        uint32_t source = 0, target = 0;  // sizes of the vocabularies
        bool shared = false;              // both are one vocabulary
    };

    // `first` tokens are always allowed; those of source token s are targets[begins[s]] up to targets[begins[s + 1]].
    Shortlist(Sizes sizes, uint32_t first, std::vector<uint64_t> begins, std::vector<uint32_t> targets);

    // Ascending ids for a batch of these sentences (all tokens, including end tokens): the first ones, the likely ones
    // of all tokens, with a shared vocabulary the tokens themselves, and as many of the smallest others as make a
    // multiple of eight. Source ids must be below the vocabulary's size.
    std::vector<uint32_t> allowed(std::span<const uint32_t> source_ids) const;

    uint32_t first() const { return first_; }
    const Sizes& sizes() const { return sizes_; }
    std::span<const uint64_t> begins() const { return begins_; }
    std::span<const uint32_t> targets() const { return targets_; }

private:
    Sizes sizes_;
    uint32_t first_ = 0;
    std::vector<uint64_t> begins_;  // per source token, and the end
    std::vector<uint32_t> targets_;
};

}  // namespace dragoman::spec
