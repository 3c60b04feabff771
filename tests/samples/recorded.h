// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dragoman::test {

inline const char* const kToyModel = DRAGOMAN_TEST_DATA "/huggingface/separate";
inline const char* const kCodeModel = DRAGOMAN_TEST_DATA "/huggingface/shared";  // with >>xx<< and >>yy<<

struct Sentence {
    std::string text, translation;
};

// Sentences and what transformers makes of them with 4 beams.
inline std::vector<Sentence> recorded_sentences(const std::string& model) {
    std::ifstream file(model + "/expected.json");
    std::vector<Sentence> sentences;
    const nlohmann::json all = nlohmann::json::parse(file);
    for (const nlohmann::json& text : all.at("texts")) sentences.push_back({text.at("text"), text.at("translation")});
    REQUIRE(sentences.size() >= 30);
    return sentences;
}

}  // namespace dragoman::test
