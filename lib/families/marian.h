// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/model_spec.h"

namespace dragoman::families {

// Marian's own models, with their vocabularies beside them: a model.npz or model.bin chosen or alone in its folder, the
// folders of OPUS-MT (decoder.yml, *.npz, source.spm, target.spm, a vocabulary in YAML) and of Firefox
// (model.XXYY.*.bin, vocab.XXYY.spm, lex.*.bin).
bool is_marian(const FileSet& files);
spec::ModelSpec load_marian(const FileSet& files);

}  // namespace dragoman::families
