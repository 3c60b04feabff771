// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "families/marian/languages.h"
#include "files/file_set.h"
#include "formats/yaml_map.h"

namespace dragoman::families {

// The files of a set that make up one of Marian's models.
struct MarianFolder {
    std::string model;
    std::vector<std::string> others;                   // of an ensemble
    std::vector<float> weights;                        // of all of them; empty: 1 each
    std::string source_vocabulary, target_vocabulary;  // may be the same file
    std::string source_sentencepiece, target_sentencepiece;  // where vocabularies are none; "": not there
    std::string merges;                                // of subword-nmt, where there is no SentencePiece model
    std::string shortlist;                             // "": none
    std::optional<formats::YamlMap> decoder;                    // *.decoder.yml or decoder.yml
    MarianLanguages languages;
};

// Whether a file is a model of Marian's: an .npz, or a .bin that begins like one.
bool is_marian_model(const FileSet& files, const std::string& name);

// Throws bad_model, naming what it looked for, when the model or a vocabulary is missing or not clear.
MarianFolder find_marian_files(const FileSet& files);

}  // namespace dragoman::families
