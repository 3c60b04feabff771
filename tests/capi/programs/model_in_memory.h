// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace dragoman::test {

// The transliteration model, with a tokenizer of one token per letter.
class ModelInMemory {
public:
    explicit ModelInMemory(const std::filesystem::path& data) {
        for (const char* folder : {"aren-transliteration", "letters"}) {
            for (const auto& entry : std::filesystem::directory_iterator(data / folder)) {
                const std::string extension = entry.path().extension();
                if (extension == ".md" || extension == ".tsv") continue;
                std::ifstream file(entry.path(), std::ios::binary);
                contents_.emplace_back(entry.path().filename(), std::string(std::istreambuf_iterator<char>(file), {}));
            }
        }
        for (const auto& [name, content] : contents_)
            files_.push_back({name.c_str(), content.data(), content.size(), nullptr, nullptr});
    }
    dragoman_status load(dragoman_model** model, const dragoman_model_options* options = nullptr) const {
        return dragoman_model_load_files(files_.data(), files_.size(), options, model);
    }

private:
    std::vector<std::pair<std::string, std::string>> contents_;
    std::vector<dragoman_file> files_;
};

}  // namespace dragoman::test
