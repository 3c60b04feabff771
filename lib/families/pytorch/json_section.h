// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragoman::families {

// A JSON object that is read key by key; what was not asked for is refused in the end. Messages name the file, the place
// and both values. Keys that are null count as absent. All functions throw bad_model.
class JsonSection {
public:
    // `place`: "" for the whole file, else the keys that lead here, "transformer.".
    JsonSection(std::string file, const nlohmann::json& values, std::string place = "")
        : file_(std::move(file)), place_(std::move(place)), values_(values) {}

    bool has(const char* key) const;
    std::string label(std::string_view key) const;  // "dragoman.json: transformer.nhead"

    std::optional<std::string> text(const char* key) const;
    std::optional<bool> flag(const char* key) const;
    std::optional<uint32_t> number(const char* key, uint32_t least, uint32_t most) const;
    std::optional<double> real(const char* key, double least, double most) const;
    std::vector<uint32_t> numbers(const char* key, uint32_t most) const;
    std::vector<std::string> texts(const char* key) const;
    JsonSection section(const char* key) const;
    const nlohmann::json* find(const char* key) const;  // null: absent
    void ignore(const char* key) const { asked_.emplace_back(key); }

    [[noreturn]] void missing(std::string_view key, std::string_view expected) const;
    [[noreturn]] void wrong(std::string_view key, std::string_view expected, const nlohmann::json& value) const;
    // Refuses keys that were never asked for, naming the nearest ones that are known.
    void finish() const;

private:
    std::string file_, place_;
    const nlohmann::json& values_;
    mutable std::vector<std::string> asked_;
};

}  // namespace dragoman::families
