// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "support/temp_dir.h"

namespace dragoman::test {

// The folder of a recorded model. huggingface/untied has the tokenizer of huggingface/m2m100, whose files are stored
// once: its folder is put together.
class ModelFolder {
public:
    explicit ModelFolder(const std::string& name) : path_(DRAGOMAN_TEST_DATA "/" + name) {
        if (name != "huggingface/untied") return;
        together_ = std::make_unique<TempDir>();
        for (const char* file : {"added_tokens.json", "sentencepiece.bpe.model", "tokenizer_config.json", "vocab.json"})
            std::filesystem::copy_file(Path(DRAGOMAN_TEST_DATA "/huggingface/m2m100") / file, together_->path() / file);
        std::filesystem::copy(path_, together_->path());
        path_ = together_->path();
    }
    std::string path() const { return path_; }

private:
    std::unique_ptr<TempDir> together_;
    Path path_;
};

}  // namespace dragoman::test
