// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "families/huggingface/family.h"

namespace dragoman::families {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxNamed = 20;  // keys in a line of the log

std::string written(const json& values) {
    std::vector<std::string> list;
    for (const json& value : values) list.push_back(formats::short_text(value));
    return list.empty() ? "null" : fmt::format("{}", fmt::join(list, " or "));
}

void refuse(const HuggingFaceSettings::File& file, const KeyRule& rule, const json& value) {
    const bool same = !rule.neutral.starts_with('[');
    fail(Status::unsupported, "{}: {} is not supported: expected {}{}, file has {}{}", file.file, rule.key,
         written(rule.neutral_values(file.values)), same ? fmt::format(" ({})", rule.neutral) : "",
         formats::short_text(value), same || rule.why.empty() ? "" : fmt::format("; {}", rule.why));
}

void warn(const std::string& file, std::vector<std::string> keys, std::string_view what) {
    if (keys.size() > kMaxNamed) {
        keys.resize(kMaxNamed);
        keys.emplace_back("...");
    }
    if (!keys.empty()) log(LogLevel::warning, "{}: {}: {}", file, fmt::join(keys, ", "), what);
}

bool is_generation_key(std::string_view key) {
    return std::ranges::any_of(huggingface_families(), [&](const Family& family) {
        const KeyRule* rule = family.generates ? family.find_key(key) : nullptr;
        return rule && rule->generation;
    });
}

}  // namespace

json KeyRule::neutral_values(const json& file) const {
    if (neutral.starts_with('[')) return json::parse(neutral);
    const auto found = file.find(neutral);
    return found == file.end() ? json::array() : json::array({*found});
}

bool KeyRule::is_neutral(const json& value, const json& file) const {
    if (value.is_null()) return true;
    for (const json& each : neutral_values(file))
        if (each == value) return true;
    return false;
}

const KeyRule* Family::find_key(std::string_view key) const {
    static constexpr KeyRule kGeneratesNothing = of_generation(ignored("", "an encoder generates nothing"));
    for (const KeyRules rules : keys)
        if (const auto rule = std::ranges::find(rules, key, &KeyRule::key); rule != rules.end()) return &*rule;
    return !generates && is_generation_key(key) ? &kGeneratesNothing : nullptr;
}

void check_keys(const HuggingFaceSettings& settings, const Family& family) {
    const HuggingFaceSettings::File& config = settings.config();
    const HuggingFaceSettings::File* generation = settings.generation();
    std::vector<std::string> unknown, overruled;
    for (const auto& [key, value] : config.values.items()) {
        const KeyRule* rule = family.find_key(key);
        if (!rule) {
            unknown.push_back(formats::short_text(key));
        } else if (rule->generation && generation && !is_special_token(key)) {
            const bool same = generation->values.contains(key) && generation->values.at(key) == value;
            const bool without_effect = rule->use == KeyUse::ignored || value.is_null() || same;
            if (!without_effect && !(rule->use == KeyUse::refused && rule->is_neutral(value, config.values)))
                overruled.push_back(key);
        } else if (rule->use == KeyUse::refused && !rule->is_neutral(value, config.values)) {
            refuse(config, *rule, value);
        }
    }
    constexpr std::string_view kUnknown = "not known here, and without effect";
    warn(config.file, unknown, kUnknown);
    warn(config.file, overruled, "not heeded beside generation_config.json, as in transformers");
    if (!generation) return;
    unknown.clear();
    for (const auto& [key, value] : generation->values.items()) {
        const KeyRule* rule = family.find_key(key);
        if (!rule || !rule->generation) unknown.push_back(formats::short_text(key));
        else if (rule->use == KeyUse::refused && !rule->is_neutral(value, generation->values))
            refuse(*generation, *rule, value);
    }
    warn(generation->file, unknown, kUnknown);
}

}  // namespace dragoman::families
