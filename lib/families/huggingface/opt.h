// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/huggingface/settings.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// OPT, a decoder alone. Throws bad_model, unsupported.
spec::ModelSpec load_opt(const FileSet& files, const HuggingFaceSettings& settings);

}  // namespace dragoman::families
