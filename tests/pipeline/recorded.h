// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/device.h"
#include "pipeline/model/model_info.h"
#include "pipeline/run/translator.h"
#include "spec/prompt.h"
#include "text/token_ranges.h"
#include "text/vocabulary.h"

// Recorded results of another engine: tests/data/<model>/expected.json, and int8.json, written by tests/tools.
namespace dragoman::test {

struct RecordedHypotheses {
    std::vector<pipeline::Tokens> tokens;
    std::vector<float> scores;
    std::vector<std::vector<std::vector<float>>> attention;  // empty: not recorded
};

struct RecordedCase {
    std::string name;
    std::vector<pipeline::Request> requests;
    pipeline::TranslateOptions options;
    std::vector<RecordedHypotheses> expected;
};

struct RecordedScore {
    pipeline::Request pair;
    std::vector<float> log_probs;
};

struct RecordedText {
    std::string text;
    pipeline::Tokens pieces;
    std::string translation;
};

struct Recorded {
    std::vector<RecordedCase> cases;
    std::vector<RecordedScore> scores;
    std::vector<RecordedText> texts;  // only models with a tokenizer; beam 4
    // int8.json: how far scores and log-probabilities of slightly disturbed models are apart, relative above 1.
    float scores_apart = 0.0f, log_probs_apart = 0.0f;
};

Recorded read_recorded(const std::string& model_directory, const std::string& file = "expected.json");

// The folders under tests/data, and under its `below`, that have an expected.json, sorted.
std::vector<std::string> recorded_models(const std::string& below = "");

// The input of translate() for a text: its pieces in the prompt, without what begins and ends every source.
pipeline::Tokens source_tokens(const pipeline::Model& model, std::string_view text);

// CTranslate2's option names. An unknown name throws, so that no option is ignored.
pipeline::TranslateOptions options_from_json(const nlohmann::json& json);

}  // namespace dragoman::test
