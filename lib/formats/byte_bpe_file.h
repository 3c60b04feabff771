// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "files/file_bytes.h"
#include "spec/model_spec.h"

namespace dragoman::formats {

// Reads merges.txt: "left right" in each line, the best first. Throws bad_model.
std::vector<std::string> read_merges(const FileBytes& file);

// A tokenizer.json with byte-level BPE. `space_before`: what another file says about add_prefix_space, which then
// counts. Throws bad_model; unsupported for other tokenizers, naming the difference.
struct ByteBpeFile {
    std::vector<std::string> tokens;  // index is the id
    spec::ByteBpeSpec bpe;
    spec::TokenizerSteps steps{};  // where the tokenizer is not GPT-2's
};
ByteBpeFile read_byte_bpe_json(const FileBytes& file, std::optional<bool> space_before = {});

}  // namespace dragoman::formats
