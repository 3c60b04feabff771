// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragoman::formats {

// One value of a YAML map: a scalar or a flat list of scalars. Anything deeper is `nested` and has no text.
struct YamlValue {
    std::vector<std::string> items;
    bool list = false, nested = false;
};

// The map at the top of a YAML document, such as settings and vocabularies. JSON objects are YAML maps too.
class YamlMap {
public:
    // Throws bad_model for text that is no YAML map and for nesting beyond 32 levels.
    YamlMap(std::string where, std::string_view text);

    const std::string& where() const { return where_; }
    // In the order of the file. Aliases (*name) read as nested.
    const std::vector<std::pair<std::string, YamlValue>>& entries() const { return entries_; }

    const YamlValue* find(std::string_view key) const;  // the last entry of that name, as in other readers
    bool has(std::string_view key) const { return find(key) != nullptr; }
    // For missing keys they return `absent`; for values of another kind they throw bad_model naming the key and the
    // value.
    std::string text(std::string_view key, std::string_view absent) const;
    bool flag(std::string_view key, bool absent) const;
    uint32_t number(std::string_view key, uint32_t absent, uint32_t most) const;
    std::optional<double> real(std::string_view key) const;
    std::vector<std::string> list(std::string_view key) const;  // a scalar is a list of one

private:
    const std::string* scalar(std::string_view key) const;
    [[noreturn]] void wrong(std::string_view key, std::string_view expected, std::string_view found) const;
    std::string where_;
    std::vector<std::pair<std::string, YamlValue>> entries_;
};

}  // namespace dragoman::formats
