// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "files/file_bytes.h"
#include "spec/tokenizer_steps.h"

namespace dragoman::formats {

// A tokenizer.json of Hugging Face's tokenizers whose model is one that SentencePiece has: Unigram, or BPE with the
// merges that SentencePiece makes; spaces as U+2581 (Metaspace).
struct AddedToken {
    std::string text;
    uint32_t id = 0;
    bool special = false;  // vanishes from texts
};
struct TokenizerJson {
    std::vector<std::string> tokens;  // index is the id
    std::string unk_token;
    std::vector<AddedToken> added;  // tokens that the file looks for in texts before anything else
    FileBytes sentencepiece;  // tokenises in the same way, after these steps
    spec::TokenizerSteps steps;  // none where a SentencePiece model does the same alone
};

// Special tokens of the file become control symbols: texts do not contain them, and they vanish from texts. The file's
// special tokens around a text and its lengths are not read. Throws bad_model; unsupported, naming what is not known.
TokenizerJson read_tokenizer_json(const FileBytes& file);

// "Unigram", "BPE", "WordPiece" ..., also where old files leave it out. Throws bad_model.
std::string tokenizer_model_type(const FileBytes& file);

// Only the tokens that the file adds. Throws bad_model.
std::vector<AddedToken> added_tokens(const FileBytes& file);

// Reads from tokenizer_config.json its "added_tokens_decoder", {"3": {"content": "<x>", "special": true}, ...}, a
// number, and a text (empty: none). These throw bad_model.
std::vector<AddedToken> added_tokens_decoder(const FileBytes& file);
std::optional<uint32_t> number_in(const FileBytes& file, const char* key, uint32_t most);
std::string text_in(const FileBytes& file, const char* key);

}  // namespace dragoman::formats
