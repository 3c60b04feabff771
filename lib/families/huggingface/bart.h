// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/huggingface/settings.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// BART: byte-level BPE, no languages. What it was trained on (summaries, corrections, translations) is its own matter.
spec::ModelSpec load_bart(const FileSet& files, const HuggingFaceSettings& settings);

}  // namespace dragoman::families
