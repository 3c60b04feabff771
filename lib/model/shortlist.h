// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/file_bytes.h"

namespace dragoman::model {

// A lexical shortlist: which target tokens are likely for each source token, so that only those need be scored.
// Immutable: any number of threads may use one.
class Shortlist {
public:
    struct Sizes {
        uint32_t source = 0, target = 0;  // of the vocabularies
        bool shared = false;              // both are one vocabulary
    };
    struct TextLimits {
        uint32_t first = 100, best = 100;
        float threshold = 0.0f;
    };

    // Marian's binary file (lex.*.bin). Throws bad_model for sizes, ids or a checksum that do not fit.
    static Shortlist read_binary(const FileBytes& file, Sizes sizes);
    // Lines "target source probability". `limits.first` tokens are always allowed, and for each source token the
    // `limits.best` most probable ones above the threshold. Throws bad_model.
    static Shortlist read_text(const FileBytes& file, std::span<const std::string> source,
                               std::span<const std::string> target, const std::string& unk_token, TextLimits limits);

    // The list as such a binary file.
    std::vector<std::byte> to_binary() const;

    // Ascending ids for a batch of these sentences (all tokens, end tokens too): the first ones, those likely for any
    // token, with a shared vocabulary the tokens themselves, and as many of the smallest others as make a multiple of
    // eight. Source ids must be below the vocabulary's size.
    std::vector<uint32_t> allowed(std::span<const uint32_t> source_ids) const;

    uint32_t first() const { return first_; }
    const Sizes& sizes() const { return sizes_; }

private:
    Sizes sizes_;
    uint32_t first_ = 0;
    std::vector<uint64_t> begins_;   // per source token, and the end
    std::vector<uint32_t> targets_;
};

}  // namespace dragoman::model
