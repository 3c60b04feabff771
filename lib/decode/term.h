// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace dragoman::decode {

// Something that a hypothesis must contain before it may end. Each term has tokens of its own in it.
struct Term {
    std::vector<std::vector<uint32_t>> forms;         // tokens; any of them will do
    uint32_t source_begin = 0, source_end = 0;        // tokens that it stands for: it begins where attention lies on
                                                      // them. None: anywhere
    bool whole = false;                               // no glued token may follow its last one
    uint32_t stop = 0, stop_end = 0;  // tokens that close its sentence: where attention lies on them,
        // none closes it without the term
    bool operator==(const Term&) const = default;
};

// The kind of each token of a vocabulary: TOKEN_KIND_BITS bits each, TOKEN_GLUED and the like.
using TokenKinds = std::vector<uint32_t>;
void add_kind(TokenKinds& kinds, uint32_t token, uint32_t kind);
bool has_kind(const TokenKinds& kinds, uint32_t token, uint32_t kind);

}  // namespace dragoman::decode
