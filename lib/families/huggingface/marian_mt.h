// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/huggingface/settings.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// MarianMT: OPUS-MT as transformers has it. Vocabularies in vocab.json, tokenizers in source.spm and target.spm.
spec::ModelSpec load_marianmt(const FileSet& files, const HuggingFaceSettings& settings);

}  // namespace dragoman::families
