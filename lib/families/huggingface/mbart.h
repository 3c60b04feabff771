// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/huggingface/settings.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// mBART with 25 languages, mBART-50 with any number of languages on either side.
spec::ModelSpec load_mbart(const FileSet& files, const HuggingFaceSettings& settings);

}  // namespace dragoman::families
