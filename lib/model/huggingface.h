// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/spec.h"

namespace dragoman::model {

// Models as Hugging Face's transformers saves them: config.json, model.safetensors and the tokenizer's
// files. MarianMT models (model_type "marian") are read.
bool is_huggingface(const FileSet& files);
ModelSpec load_huggingface(const FileSet& files);

}  // namespace dragoman::model
