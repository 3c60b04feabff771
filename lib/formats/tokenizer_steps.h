// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "files/file_bytes.h"
#include "spec/tokenizer_steps.h"

namespace dragoman::formats {

// The normalizer, pre-tokenizer and added tokens of a tokenizer.json; `file` is for messages. Special tokens are left
// out: texts do not contain them. Throws bad_model; unsupported, naming a step that is not known.
spec::TokenizerSteps read_tokenizer_steps(const std::string& file, const nlohmann::json& tokenizer);
spec::TokenizerSteps read_tokenizer_steps(const FileBytes& file);

}  // namespace dragoman::formats
