// SPDX-License-Identifier: Apache-2.0
// Room "gguf": models in GGUF files, read and written; gguf_keys.h names every key once for both.
// It knows nothing of other publishers' files.
#pragma once

#include "spec/model_spec.h"

namespace dragoman::families {

// A model in one GGUF file, as write_gguf writes it (docs/gguf.md): chosen, or alone in its folder.
bool is_gguf_file(const FileSet& files);
bool is_gguf_folder(const FileSet& files);
// Tensors are views into the file.
spec::ModelSpec load_gguf(const FileSet& files);
spec::ModelSpec load_gguf(const FileBytes& file);

}  // namespace dragoman::families
