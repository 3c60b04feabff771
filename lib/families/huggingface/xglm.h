// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/huggingface/settings.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// XGLM, a decoder alone. Throws bad_model, unsupported.
spec::ModelSpec load_xglm(const FileSet& files, const HuggingFaceSettings& settings);

}  // namespace dragoman::families
