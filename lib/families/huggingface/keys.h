// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "families/huggingface/settings.h"

namespace dragoman::families {

// What is done with a key of config.json or generation_config.json.
enum class KeyUse {
    heeded,   // read, by the code of the family or of the search
    refused,  // has no effect here, so that only values without effect are let through
    ignored,  // changes no translation
};

struct KeyRule {
    std::string_view models;   // model types, between blanks
    bool generation;           // of transformers' GenerationConfig; otherwise of the family's configuration
    KeyUse use;
    std::string_view key;
    std::string_view neutral;  // refused: a JSON list of the values beside null, or the key whose value it must have
    std::string_view why;      // of the documentation

    bool applies_to(std::string_view model) const;
    // The values that change nothing, from the file that has the key. Null is one, whatever the list says.
    nlohmann::json neutral_values(const nlohmann::json& file) const;
    bool is_neutral(const nlohmann::json& value, const nlohmann::json& file) const;
};

// Every key of transformers' GenerationConfig, of the configuration classes of the families, and of older versions of
// both that published files still have. One rule for each key and family.
std::span<const KeyRule> huggingface_keys();
// The same for the encoders alone, which generate nothing: keys of GenerationConfig that are not here are ignored.
std::span<const KeyRule> huggingface_encoder_keys();
const KeyRule* find_huggingface_key(std::string_view model, std::string_view key);

// Walks through the keys of both files. Throws unsupported where a refused one has an effect in transformers; warns of
// keys without a rule, and of generation settings of config.json that generation_config.json overrules.
void check_huggingface_keys(const HuggingFaceSettings& settings, std::string_view model);

}  // namespace dragoman::families
