// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>

namespace dragoman::families {

// How a key of config.json or generation_config.json is used.
enum class KeyUse {
    heeded,   // read by the code of the family or of the search
    refused,  // has no effect here, so that only values without effect are let through
    ignored,  // changes no translation
};

struct KeyRule {
    KeyUse use;
    std::string_view key;
    // refused: a JSON list of the allowed values besides null, or the key whose value it must have
    std::string_view neutral;
    std::string_view why;      // for the documentation; of a refused one for the message, too
    bool generation = false;   // a key of transformers' GenerationConfig; otherwise of the family's configuration

    // The values without an effect, from the file that has the key. They always include null.
    nlohmann::json neutral_values(const nlohmann::json& file) const;
    bool is_neutral(const nlohmann::json& value, const nlohmann::json& file) const;
};

constexpr KeyRule heeded(std::string_view key, std::string_view why = "") { return {KeyUse::heeded, key, "", why}; }
constexpr KeyRule refused(std::string_view key, std::string_view neutral, std::string_view why = "") {
    return {KeyUse::refused, key, neutral, why};
}
constexpr KeyRule ignored(std::string_view key, std::string_view why) { return {KeyUse::ignored, key, "", why}; }

// The same rules, for keys of GenerationConfig.
constexpr KeyRule of_generation(KeyRule rule) {
    rule.generation = true;
    return rule;
}
template <std::size_t N>
constexpr std::array<KeyRule, N> of_generation(const KeyRule (&rules)[N]) {
    std::array<KeyRule, N> list{};
    for (std::size_t i = 0; i < N; ++i) list[i] = of_generation(rules[i]);
    return list;
}

// Reasons for ignoring a key.
inline constexpr std::string_view kTraining = "training only";
inline constexpr std::string_view kOutputs = "what Python gets back";
inline constexpr std::string_view kHeads = "heads of other tasks";
inline constexpr std::string_view kStorage = "how transformers stores and compiles, not what it computes";
inline constexpr std::string_view kRecord = "a record of where the file comes from";

// Together, the rules of a family cover every key of transformers' GenerationConfig, of the family's configuration
// class, and of older versions of both that published files still have; one rule for each key.
using KeyRules = std::span<const KeyRule>;
KeyRules everywhere_keys();  // for every family
KeyRules name_keys();        // for every family that is known without them
KeyRules common_keys();      // for families that generate texts
KeyRules generation_keys();  // for these, in GenerationConfig
KeyRules translator_keys();  // for families with an encoder and a decoder

}  // namespace dragoman::families
