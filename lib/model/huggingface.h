// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "model/spec.h"

namespace dragoman::model {

// Model directories as Hugging Face's transformers saves them: config.json, model.safetensors and the tokenizer's
// files. MarianMT models (model_type "marian") are read.
bool is_huggingface(const std::filesystem::path& path);
ModelSpec load_huggingface(const std::filesystem::path& path);

}  // namespace dragoman::model
