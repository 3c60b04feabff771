// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shared/search.h"

namespace dragoman::decode {

inline constexpr uint32_t kMostTerms = MOST_TERMS, kMostTermNodes = MOST_TERM_NODES,
                          kMostTermChildren = MOST_TERM_CHILDREN, kMostTermBeam = MOST_TERM_BEAM,
                          kMostTermCandidates = MOST_TERM_CANDIDATES;

// Something that a hypothesis must contain before it may end. Each term has tokens of its own in it.
struct Term {
    std::vector<std::vector<uint32_t>> forms;         // tokens; any of them will do
    uint32_t source_begin = 0, source_end = 0;        // tokens that it stands for: it begins where attention lies on
                                                      // them. None: anywhere
    bool whole = false;                               // no glued token may follow its last one
    uint32_t stop = 0, stop_end = 0;                  // tokens that close its sentence: where attention lies on them,
                                                      // none closes it without the term
    bool operator==(const Term&) const = default;
};

// The kind of each token of a vocabulary: TOKEN_KIND_BITS bits each, TOKEN_GLUED and the like.
using TokenKinds = std::vector<uint32_t>;
void add_kind(TokenKinds& kinds, uint32_t token, uint32_t kind);
bool has_kind(const TokenKinds& kinds, uint32_t token, uint32_t kind);

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
