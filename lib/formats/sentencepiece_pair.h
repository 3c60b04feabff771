// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "files/file_set.h"
#include "formats/sentencepiece_model.h"

namespace dragoman::formats {

// What is known of a model's two sides before its SentencePiece models are; any of it may be empty.
struct KnownSides {
    std::span<const std::string> source_tokens{}, target_tokens{};
    std::span<const std::string> source_languages{}, target_languages{};
};

struct SentencePiecePair {
    std::string source, target;  // names of files
};

// The only two SentencePiece models of a folder, whatever they are called (en.model, ar.model), each on its side: that of
// the vocabulary which has more of its pieces; where vocabularies do not tell, that of the language it is called after, by
// the known languages, otherwise by the folder's name ("en-ar", "opus-mt-en-ar"). Nullopt: nothing says which is which.
std::optional<SentencePiecePair> find_sentencepiece_pair(const FileSet& files, const KnownSides& sides);

// The share of a model's pieces, special ones aside, that are among the tokens.
double share_of_pieces(const SentencePiecePieces& pieces, std::span<const std::string> tokens);

}  // namespace dragoman::formats
