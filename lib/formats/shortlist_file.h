// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "files/file_bytes.h"
#include "spec/shortlist.h"

namespace dragoman::formats {

// Reads Marian's binary file (lex.*.bin). Throws bad_model for sizes, ids or a checksum that do not match.
spec::Shortlist read_shortlist(const FileBytes& file, spec::Shortlist::Sizes sizes);
// The list in the form of such a file.
std::vector<std::byte> shortlist_bytes(const spec::Shortlist& list);

struct LexiconLimits {
    uint32_t first = 100, best = 100;
    float threshold = 0.0f;
};
// Reads lines "target source probability". `limits.first` tokens are always allowed, and for each source token the
// `limits.best` most probable ones above the threshold. Throws bad_model.
spec::Shortlist read_lexicon(const FileBytes& file, std::span<const std::string> source,
                             std::span<const std::string> target, const std::string& unk_token, LexiconLimits limits);

}  // namespace dragoman::formats
