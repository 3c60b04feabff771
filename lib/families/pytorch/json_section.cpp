// SPDX-License-Identifier: Apache-2.0
#include "families/pytorch/json_section.h"

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "formats/json_object.h"

namespace dragoman::families {

using nlohmann::json;

const json* JsonSection::find(const char* key) const {
    if (std::ranges::find(asked_, key) == asked_.end()) asked_.emplace_back(key);
    const auto found = values_.find(key);
    return found == values_.end() || found->is_null() ? nullptr : &*found;
}

bool JsonSection::has(const char* key) const { return find(key) != nullptr; }

std::string JsonSection::label(std::string_view key) const { return fmt::format("{}: {}{}", file_, place_, key); }

void JsonSection::missing(std::string_view key, std::string_view expected) const {
    fail(Status::bad_model, "{}: expected {}, file has none", label(key), expected);
}

void JsonSection::wrong(std::string_view key, std::string_view expected, const json& value) const {
    fail(Status::bad_model, "{}: expected {}, file has {}", label(key), expected, formats::short_text(value));
}

std::optional<std::string> JsonSection::text(const char* key) const {
    const json* value = find(key);
    if (!value) return std::nullopt;
    if (!value->is_string()) wrong(key, "a text", *value);
    return value->get<std::string>();
}

std::optional<bool> JsonSection::flag(const char* key) const {
    const json* value = find(key);
    if (!value) return std::nullopt;
    if (!value->is_boolean()) wrong(key, "true or false", *value);
    return value->get<bool>();
}

std::optional<uint32_t> JsonSection::number(const char* key, uint32_t least, uint32_t most) const {
    const json* value = find(key);
    if (!value) return std::nullopt;
    if (!value->is_number_unsigned() || value->get<uint64_t>() < least || value->get<uint64_t>() > most)
        wrong(key, fmt::format("a whole number from {} to {}", least, most), *value);
    return value->get<uint32_t>();
}

std::optional<double> JsonSection::real(const char* key, double least, double most) const {
    const json* value = find(key);
    if (!value) return std::nullopt;
    if (!value->is_number() || !(value->get<double>() >= least) || !(value->get<double>() <= most))
        wrong(key, fmt::format("a number from {} to {}", least, most), *value);
    return value->get<double>();
}

std::vector<uint32_t> JsonSection::numbers(const char* key, uint32_t most) const {
    const json* values = find(key);
    std::vector<uint32_t> result;
    if (!values) return result;
    if (!values->is_array()) wrong(key, "a list", *values);
    for (const json& value : *values) {
        if (!value.is_number_unsigned() || value.get<uint64_t>() > most)
            wrong(key, fmt::format("whole numbers from 0 to {}", most), value);
        result.push_back(value.get<uint32_t>());
    }
    return result;
}

std::vector<std::string> JsonSection::texts(const char* key) const {
    const json* values = find(key);
    std::vector<std::string> result;
    if (!values) return result;
    if (!values->is_array()) wrong(key, "a list", *values);
    for (const json& value : *values) {
        if (!value.is_string()) wrong(key, "texts", value);
        result.push_back(value.get<std::string>());
    }
    return result;
}

JsonSection JsonSection::section(const char* key) const {
    const json* value = find(key);
    if (!value) missing(key, "an object");
    if (!value->is_object()) wrong(key, "an object", *value);
    return {file_, *value, fmt::format("{}{}.", place_, key)};
}

void JsonSection::finish() const {
    for (const auto& [key, value] : values_.items()) {
        if (std::ranges::find(asked_, key) != asked_.end()) continue;
        fail(Status::bad_model, "{}: no such key is known; the nearest are {}", label(formats::short_text(key)),
             fmt::join(nearest_names(key, asked_, 3), ", "));
    }
}

}  // namespace dragoman::families
