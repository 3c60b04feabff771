// SPDX-License-Identifier: Apache-2.0
// Room "marian": models as Marian writes them (.npz or .bin with their YAML). It knows nothing of other publishers'
// files; MarianMT as Hugging Face publishes it is huggingface/marian_mt.
#pragma once

#include "spec/model_spec.h"

namespace dragoman::families {

// Marian's own models, with their vocabularies beside them: a model.npz or model.bin chosen or alone in its folder, the
// folders of OPUS-MT (decoder.yml, *.npz, source.spm, target.spm, a vocabulary in YAML) and of Firefox
// (model.XXYY.*.bin, vocab.XXYY.spm, lex.*.bin).
bool is_marian(const FileSet& files);
spec::ModelSpec load_marian(const FileSet& files);

}  // namespace dragoman::families
