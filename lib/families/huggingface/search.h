// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "families/huggingface/settings.h"
#include "spec/search_defaults.h"

namespace dragoman::families {

// The generation settings of a Hugging Face model. `alone`: for a decoder-only model, which counts a text's beginning
// among its tokens. Throws bad_model, unsupported.
spec::SearchDefaults read_huggingface_search(const HuggingFaceSettings& settings,
                                             const std::vector<std::string>& target, bool alone = false);

}  // namespace dragoman::families
