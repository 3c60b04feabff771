// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "model/spec.h"

namespace dragoman::model {

// A CTranslate2 model directory (or the model.bin in one): encoder-decoder Transformers of every binary version,
// spec revision and weight type. Tensors are views into the mapped model.bin; quantised ones stay quantised.
bool is_ctranslate2(const std::filesystem::path& path);
ModelSpec load_ctranslate2(const std::filesystem::path& path);

}  // namespace dragoman::model
