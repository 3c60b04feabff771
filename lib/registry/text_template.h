// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman::registry {

// What one item of a list gives to templates.
struct Item {
    const nlohmann::json* value = nullptr;     // {/key}
    const nlohmann::json* list = nullptr;      // {^/key}
    std::vector<std::string> columns;          // {1}
    std::map<std::string, std::string> parts;  // {name}
};

// A text with references to an item in braces; docs/registries.md has the rules.
class TextTemplate {
public:
    TextTemplate() = default;  // always ""
    // Throws bad_model for references that cannot be read.
    explicit TextTemplate(std::string_view text);
    // Nullopt: a reference leads to nothing, or to an empty text.
    std::optional<std::string> fill(const Item& item) const;
    std::string fill_or_empty(const Item& item) const { return fill(item).value_or(""); }

private:
    struct Reference {
        enum class Kind { pointer, list_pointer, column, part } kind = Kind::part;
        nlohmann::json::json_pointer pointer;
        std::size_t column = 0;
        std::string part;
    };
    struct Piece {
        std::string text;                     // as it is, where there are no references
        std::vector<Reference> alternatives;  // the first that leads to something
    };
    static Reference read_reference(std::string_view text);
    static std::string value_of(const Reference& reference, const Item& item);
    std::vector<Piece> pieces_;
};

}  // namespace dragoman::registry
