// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/file_set.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// Reads the description of vectors in the files that sentence-transformers adds to an encoder: modules.json with the
// pooling, dense layers and normalisation that it names, sentence_bert_config.json, config_sentence_transformers.json.
// Without modules.json nothing is read. Throws bad_model; unsupported, naming what is not known here.
void read_sentence_encoder(const FileSet& files, spec::ModelSpec& spec);

}  // namespace dragoman::families
