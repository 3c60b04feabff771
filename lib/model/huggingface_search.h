// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/huggingface_json.h"
#include "model/search_defaults.h"

namespace dragoman::model {

// The generation settings of a Hugging Face model. Throws bad_model, unsupported.
SearchDefaults read_huggingface_search(const HuggingFaceSettings& settings, const std::vector<std::string>& target);

}  // namespace dragoman::model
