// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "files/file_bytes.h"

namespace dragoman::formats {

// The tokens that a tokenizer.json puts around a text.
struct TextTemplate {
    std::vector<std::string> before, after;
    bool operator==(const TextTemplate&) const = default;
};
// Nothing where the file puts none. Throws bad_model; unsupported, naming a post-processor that is not known.
std::optional<TextTemplate> read_text_template(const FileBytes& file);

}  // namespace dragoman::formats
