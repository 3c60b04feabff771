// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/model_spec.h"

namespace dragoman::families {

// A package of Argos Translate (.argosmodel, or the folder it is installed to): metadata.json, a CTranslate2 model in
// model/ and sentencepiece.model. Data for Stanza in it is not used.
bool is_argos(const FileSet& files);
spec::ModelSpec load_argos(const FileSet& files);

}  // namespace dragoman::families
