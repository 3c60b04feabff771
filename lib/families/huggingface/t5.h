// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/huggingface/settings.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// T5 (1.0 and 1.1, Flan), MADLAD-400 (a T5 whose vocabulary has tokens for languages), mT5 and UMT5, with tokenizers in
// spiece.model, or tokenizer.json alone; ByT5, which needs none.
spec::ModelSpec load_t5(const FileSet& files, const HuggingFaceSettings& settings);

}  // namespace dragoman::families
