// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/search_defaults.h"
#include "nn/weights.h"
#include "nn/transformer_config.h"

namespace dragoman::model {

// Vocabularies and tokenizer files as found; text/ turns them into tokenizers.
struct VocabularySpec {
    std::vector<std::string> tokens;       // index is the id
    std::filesystem::path sentencepiece;   // empty: the model brings none (token mode)
};

// A model as its files describe it, independent of the format. Tensors are views into maps it holds.
struct ModelSpec {
    std::string format;        // "ctranslate2" or "huggingface"
    std::string family;        // spec name: "TransformerBase" ...
    std::filesystem::path path;
    nn::TransformerConfig config;
    nn::WeightMap weights;     // canonical names: those of CTranslate2's current TransformerSpec
    VocabularySpec source, target;
    bool shared_vocabulary = false;
    std::string unk_token = "<unk>", bos_token = "<s>", eos_token = "</s>";
    std::optional<std::string> decoder_start_token;  // none: the caller's first prefix token
    bool add_source_bos = false, add_source_eos = false;
    std::vector<std::vector<std::string>> never_generated;  // of the target; longer ones: the last after the others
    SearchDefaults search;
    std::vector<std::shared_ptr<const void>> owners;  // maps and converted tensors the views point into
};

// Recognises the format of a file or directory and reads it. Throws io_error, bad_model, unsupported.
ModelSpec load(const std::filesystem::path& path);

}  // namespace dragoman::model
