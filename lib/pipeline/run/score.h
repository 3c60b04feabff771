// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/model/model.h"
#include "pipeline/value/result.h"

namespace dragoman::pipeline {

struct Request;

// A text with a translation of it, each one sequence to the model.
struct TextPair {
    std::string_view source, target;  // UTF-8
};

struct ScoreOptions {
    uint32_t max_input_length = 1024;  // tokens; cuts both sides; 0: no limit
    std::string source_language, target_language;  // of texts, as in TextOptions
};

// These implement the functions of the same names of Translator.
std::vector<ScoreResult> score(const std::shared_ptr<const Model>& model, std::span<const Request> pairs,
                               uint32_t max_input_length);
std::vector<ScoreResult> score_texts(const std::shared_ptr<const Model>& model, std::span<const TextPair> pairs,
                                     const ScoreOptions& options);

}  // namespace dragoman::pipeline
