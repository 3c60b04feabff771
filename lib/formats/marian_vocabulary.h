// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "files/file_set.h"

namespace dragoman::formats {

struct MarianVocabulary {
    std::vector<std::string> tokens;  // index is the id; ids without a token have ""
    std::string eos, unk;
    FileBytes sentencepiece;          // the file, when it is a SentencePiece model
};

bool is_sentencepiece_name(std::string_view name);

// Reads a vocabulary in the format that its extension names: .spm and .model; .yml, .yaml and .json, a map of tokens to ids;
// anything else has one token per line. `size`: rows of the embedding; there may be fewer tokens, and tokens of maps
// and lines beyond it are dropped, as in Marian. Throws bad_model, and unsupported for factored vocabularies (.fsv,
// .fm).
MarianVocabulary read_marian_vocabulary(const FileSet& files, const std::string& name, uint32_t size);

}  // namespace dragoman::formats
