// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "fixture.h"
#include "support/run_program.h"

namespace dragoman::test {

// The transliteration model with SentencePiece models of one piece per letter beside it.
struct TextModel {
    TempDir folder;
    std::string path = folder.path() / "model";

    TextModel() {
        namespace fs = std::filesystem;
        fs::copy(kModel, path);
        fs::copy(DRAGOMAN_TEST_DATA "/letters/source.spm", path);
        fs::copy(DRAGOMAN_TEST_DATA "/letters/target.spm", path);
    }
    ModelHandle load() const {
        dragoman_model* model = nullptr;
        require_ok(dragoman_model_load(path.c_str(), nullptr, &model));
        return ModelHandle(model);
    }
};

inline std::string text_of(dragoman_result* result, std::size_t input) {
    dragoman_string text{};
    require_ok(dragoman_result_text(result, input, 0, &text));
    CHECK(text.data[text.size] == '\0');
    return {text.data, text.size};
}

}  // namespace dragoman::test
