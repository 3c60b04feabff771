// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dragoman::decode {

// The union of the shortlists of a stream's sentences: logits are computed for these tokens only. It grows when
// sentences enter; tokens of sentences that have left are dropped only when room runs out, so that most entries change
// nothing.
class AllowedTokens {
public:
    explicit AllowedTokens(uint32_t vocabulary) : uses_(vocabulary), places_(vocabulary, kNoPlace) {}

    // The ids must be distinct. Throws bad_model for one outside the vocabulary.
    void enter(std::span<const uint32_t> ids);
    void leave(std::span<const uint32_t> ids);

    // Makes ids() cover all tokens that entered, in at most `capacity` entries; false: used() entries are needed.
    bool assign_places(uint32_t capacity);
    uint32_t used() const { return used_; }
    bool changed() const { return changed_; }  // since the last set_unchanged()
    void set_unchanged() { changed_ = false; }

    const std::vector<uint32_t>& ids() const { return ids_; }
    // position in ids() of every token of the vocabulary
    const std::vector<uint32_t>& places() const { return places_; }

    static constexpr uint32_t kNoPlace = 0xffffffffu;

private:
    std::vector<uint32_t> uses_, places_, ids_, missing_;
    uint32_t used_ = 0;
    bool changed_ = false;
};

}  // namespace dragoman::decode
