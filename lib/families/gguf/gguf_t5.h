// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "formats/gguf_file.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// T5 and its relatives as llama.cpp converts them: architecture "t5", with the tokenizer in the keys.
spec::ModelSpec load_gguf_t5(const formats::GgufFile& file, const FileBytes& bytes);

}  // namespace dragoman::families
