// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/huggingface/settings.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// GPT-2, a decoder alone. Throws bad_model, unsupported.
spec::ModelSpec load_gpt2(const FileSet& files, const HuggingFaceSettings& settings);

}  // namespace dragoman::families
