// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/model_spec.h"

namespace dragoman::families {

// Models as Hugging Face's transformers saves them: config.json, model.safetensors and the tokenizer's files. The
// supported families are the rows of a table, one file each.
bool is_huggingface(const FileSet& files);
spec::ModelSpec load_huggingface(const FileSet& files);

}  // namespace dragoman::families
