// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_set.h"
#include "spec/model_spec.h"

namespace dragoman::formats {

// A vocabulary as text, one token per line, or as a JSON array of strings (chosen by the extension). Line ends may
// be CR LF if all of them are. Throws io_error, and bad_model for text that is not UTF-8.
std::vector<std::string> read_vocabulary(const FileSet& files, const std::string& name);

// Finds `stem`.json or `stem`.txt, in that order.
std::optional<std::string> find_vocabulary(const FileSet& files, std::string_view stem);

// The name of one side's ("source" or "target") SentencePiece model, or "": SIDE.spm (or src, tgt, trg), otherwise a model
// under one of the usual shared names, otherwise SIDE.model, otherwise the only *.spm file there, otherwise the only
// *.model file that looks like one.
std::string find_sentencepiece(const FileSet& files, std::string_view side);

// Whether a file begins as models of SentencePiece do.
bool looks_like_sentencepiece(std::string_view beginning);

// Reads what find_sentencepiece finds for both sides, otherwise the only pair of files that find_sentencepiece_pair can tell
// apart. Throws bad_model for an empty file.
void read_sentencepiece(const FileSet& files, spec::ModelSpec& spec);

}  // namespace dragoman::formats
