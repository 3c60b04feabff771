// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/huggingface/settings.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// M2M-100, WMT21's dense models and NLLB-200 (model_type m2m_100): one vocabulary with a token for each language.
spec::ModelSpec load_m2m100(const FileSet& files, const HuggingFaceSettings& settings);

}  // namespace dragoman::families
