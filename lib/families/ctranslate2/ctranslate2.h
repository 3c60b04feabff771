// SPDX-License-Identifier: Apache-2.0
// Room "ctranslate2": models that CTranslate2 converted, and Argos packages, which hold such a model. Tokenizers that
// lie beside a model as Hugging Face files are read by the room "huggingface".
#pragma once

#include "spec/model_spec.h"

namespace dragoman::families {

// A CTranslate2 model (model.bin and its vocabularies): encoder-decoder Transformers of every binary version,
// spec revision and weight type. Tensors are views into model.bin; quantised ones stay quantised.
bool is_ctranslate2(const FileSet& files);
spec::ModelSpec load_ctranslate2(const FileSet& files);

// A package of Argos Translate (.argosmodel, or the folder it is installed to): metadata.json, a CTranslate2 model in
// model/ and sentencepiece.model. Data for Stanza in it is not used.
bool is_argos(const FileSet& files);
spec::ModelSpec load_argos(const FileSet& files);

}  // namespace dragoman::families
