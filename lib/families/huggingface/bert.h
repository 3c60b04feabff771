// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/huggingface/settings.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// BERT, an encoder alone (also LaBSE and other encoders of sentences in its form): WordPiece in vocab.txt or
// tokenizer.json.
spec::ModelSpec load_bert(const FileSet& files, const HuggingFaceSettings& settings);

}  // namespace dragoman::families
