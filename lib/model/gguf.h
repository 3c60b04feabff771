// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/spec.h"

namespace dragoman::model {

// A model in one GGUF file, as write_gguf writes it (docs/gguf.md): chosen, or alone in its folder.
bool is_gguf_file(const FileSet& files);
bool is_gguf_folder(const FileSet& files);
// Tensors stay views into the file.
ModelSpec load_gguf(const FileSet& files);
ModelSpec load_gguf(const FileBytes& file);

}  // namespace dragoman::model
