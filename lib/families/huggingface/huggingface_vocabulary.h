// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>

#include "families/common/language_tokens.h"
#include "families/huggingface/settings.h"
#include "formats/tokenizer_json.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// Reads {"piece": id, ...} with ids from 0, each once; unk_token may be empty. Throws bad_model.
std::vector<std::string> read_huggingface_pieces(const FileBytes& file, const std::string& unk_token);

// Reads the tokens that the settings name by ids of spec.target: the end, the start (if named) and a forced first
// token. `vocabulary`: the file of the source's tokens, for messages; `start`: the id where none is named.
void read_special_tokens(const HuggingFaceSettings& settings, const std::string& vocabulary, spec::ModelSpec& spec,
                         std::optional<uint32_t> start = std::nullopt);
// Reads the tokens that are never generated.
void read_suppressed_tokens(const HuggingFaceSettings& settings, spec::ModelSpec& spec);
// Reads those that no translation begins with, behind the start and a forced token, which are known. Throws unsupported
// where there are some and translations begin with their language.
void read_suppressed_beginnings(const HuggingFaceSettings& settings, bool with_language, spec::ModelSpec& spec);

// The content of tokenizer_config.json; empty where there is no such file.
class TokenizerSettings {
public:
    explicit TokenizerSettings(const FileSet& files);
    std::string text(const char* key) const;  // empty: missing
    bool flag(const char* key, bool absent = false) const;
    std::optional<bool> stated_flag(const char* key) const;
    const std::string& tokenizer_class() const { return class_; }  // as tokenizer_class()
    // Tokens that are added to the vocabulary by id, here, in added_tokens.json or in tokenizer.json.
    const std::map<uint32_t, formats::AddedToken>& added() const { return added_; }
    std::vector<formats::AddedToken> added_list() const;

private:
    void read_added(const FileSet& files);
    std::string file_, class_;
    nlohmann::json values_ = nlohmann::json::object();
    std::map<uint32_t, formats::AddedToken> added_;
};

// Whether transformers takes blanks before punctuation out of texts: clean_up_tokenization_spaces in
// tokenizer_config.json. Where the library tokenizers encodes, and its model is BPE, version 5 wants another key as well.
// `bpe`: whether it is so; asked where it matters. Throws bad_model.
bool cleans_up_spaces(const FileSet& files, bool (*bpe)(const FileSet& files));
bool has_bpe_json(const FileSet& files);  // whether there is a tokenizer.json with BPE
// The class of the tokenizer without "Fast": "NllbTokenizer"; empty: neither tokenizer_config.json nor config.json says
// it.
std::string tokenizer_class(const FileSet& files);

// The one vocabulary of both sides and the SentencePiece model that makes its pieces.
struct HuggingFaceVocabulary {
    std::string file;  // for messages
    std::vector<std::string> tokens;  // index is the id
    FileBytes sentencepiece{};
    std::string unk_token{};  // where the file says it
    spec::TokenizerSteps steps{};  // before its model
};

// A vocabulary in fairseq's order: <s>, <pad>, </s>, <unk>, the other pieces of the SentencePiece model, languages,
// <mask>; or in tokenizer.json's, where there is no SentencePiece model, or one that does not fit. `lists`: lists of
// languages, the shorter ones first; the longest for which `size` has room is used. Throws bad_model.
HuggingFaceVocabulary read_fairseq_vocabulary(const FileSet& files, uint32_t size,
                                              std::initializer_list<LanguageList> lists);
// The same with any tokens after the pieces: the last of `endings` for which `size` has room, otherwise the first one.
HuggingFaceVocabulary read_fairseq_vocabulary(const FileSet& files, uint32_t size,
                                              std::span<const std::vector<std::string>> endings);

// Pieces and ids of tokenizer.json. Throws bad_model, unsupported.
HuggingFaceVocabulary read_tokenizer_vocabulary(const FileSet& files);

// Reads vocab.json and merges.txt, or tokenizer.json alone; spec.byte_bpe gets the merges. Throws bad_model,
// unsupported.
HuggingFaceVocabulary read_byte_bpe_vocabulary(const FileSet& files, const TokenizerSettings& tokenizer,
                                               spec::ModelSpec& spec);

// Gives the vocabulary the tokens that are added with ids from `first_id` on, and one for each row of the embedding.
// Added tokens without a row are left out with a warning. Throws bad_model, naming `size_key`, where other tokens are
// more than the rows, or far fewer.
void fit_rows(const TokenizerSettings& tokenizer, uint32_t size, const char* size_key,
              HuggingFaceVocabulary& vocabulary, uint32_t first_id = 0);

// Gives both sides of spec the vocabulary, with a token for each row of the embedding. Throws bad_model where there are
// more tokens than rows (added tokens aside, which are left out with a warning), or far fewer.
void take_vocabulary(HuggingFaceVocabulary vocabulary, const TokenizerSettings& tokenizer, spec::ModelSpec& spec);
// Also sets its languages; tokens that are no pieces are invisible in texts.
void take_vocabulary(HuggingFaceVocabulary vocabulary, const TokenizerSettings& tokenizer, LanguageTokens form,
                     spec::ModelSpec& spec);

}  // namespace dragoman::families
