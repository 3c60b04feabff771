// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include "engine/device.h"
#include "pipeline/model/model_info.h"
#include "pipeline/run/translator.h"
#include "spec/prompt.h"
#include "text/token_ranges.h"
#include "text/vocabulary.h"

namespace dragoman::test {

inline const std::string kRealModel = std::string(DRAGOMAN_TEST_DATA) + "/aren-transliteration";

// The real model, loaded once per process: most of a test's time would be spent on loading it.
inline std::shared_ptr<const pipeline::Model> real_model() {
    static const auto model = pipeline::Model::load(kRealModel,
                                                    {.device = {}, .compute_type = pipeline::ComputeType::f32});
    return model;
}

// "آتز" -> {"آ", "ت", "ز"}; this model's tokens are letters.
inline pipeline::Tokens letters(std::string_view text) {
    pipeline::Tokens tokens;
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) tokens.emplace_back();
        tokens.back() += c;
    }
    return tokens;
}

inline std::string text_of(const pipeline::Tokens& tokens) {
    std::string text;
    for (const auto& token : tokens) text += token;
    return text;
}

}  // namespace dragoman::test
