// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/term.h"
#include "shared/search.h"

namespace dragoman::decode {

inline constexpr uint32_t kMaxTerms = MOST_TERMS, kMaxTermNodes = MOST_TERM_NODES,
                          kMaxTermChildren = MOST_TERM_CHILDREN, kMaxTermBeam = MOST_TERM_BEAM,
                          kMaxTermCandidates = MOST_TERM_CANDIDATES;

// The terms of a sentence in the layout that the search step reads (shared/search.h).
class TermTrie {
public:
    // Throws invalid_argument for too many terms, forms or tokens, and for empty ones; the message names the number and
    // the limit.
    explicit TermTrie(std::span<const Term> terms);

    uint32_t nodes() const { return uint32_t(nodes_.size()); }  // including the root
    // open_at: the step from which any term may begin.
    std::vector<uint32_t> words(uint32_t open_at) const;

private:
    struct Node {
        uint32_t token = 0, ends = 0, below = 0;
        std::vector<uint32_t> children{};
    };
    uint32_t child_of(uint32_t node, uint32_t token);

    std::span<const Term> terms_;
    std::vector<Node> nodes_{Node{}};
};

struct SearchInput;
struct SearchRules;
// Throws invalid_argument, naming the term, for a token that does not exist, ends sentences or is suppressed, for a
// span outside the source, and for whatever TermTrie refuses.
void check_terms(const SearchInput& input, const SearchRules& rules, uint32_t vocabulary);

}  // namespace dragoman::decode
