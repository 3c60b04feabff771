// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/double_array.h"
#include "text/characters.h"

namespace dragoman::text {

// The normalisation that a SentencePiece model has in its file: characters become others, spaces become U+2581.
struct PieceRules {
    spec::DoubleArray rules;  // its values are offsets into `texts`
    std::string texts;        // each ends with NUL
    bool dummy_prefix = true, removes_spaces = true, escapes_spaces = true, spaces_behind = false;
    bool of_clusters = false;  // applied as tokenizers does: the first rule for a short cluster, else each character's
    std::vector<std::string> symbols;  // user-defined pieces, sorted, which stay as they are

    struct Normal {
        std::string text;
        std::vector<uint32_t> source;  // the byte of the given text for each byte, and for the end
    };
    // The text must have less than 4 GiB.
    Normal normalize(std::string_view text) const;
    // The bytes of the longest symbol that the text begins with; 0: none.
    std::size_t symbol_size(std::string_view text) const;

private:
    struct Prefix {
        std::string_view text;
        std::size_t size = 0;  // in the given text
    };
    Prefix prefix(std::string_view text, std::size_t at, Range& cluster) const;
    Prefix character_of(std::string_view text, std::size_t at, Range& cluster) const;
};

}  // namespace dragoman::text
