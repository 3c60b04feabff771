// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/huggingface/settings.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// XLM-RoBERTa, an encoder alone: BERT with SentencePiece, and positions that begin behind that of padding.
spec::ModelSpec load_xlm_roberta(const FileSet& files, const HuggingFaceSettings& settings);

}  // namespace dragoman::families
