// SPDX-License-Identifier: Apache-2.0
#include "registry/text_template.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace dragoman::registry {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

// A list is its elements, an object its keys, with spaces between.
std::string text_of_json(const nlohmann::json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number() || value.is_boolean()) return value.dump();
    std::string text;
    const auto add = [&](const std::string& word) {
        if (!word.empty()) text += (text.empty() ? "" : " ") + word;
    };
    if (value.is_array()) {
        for (const nlohmann::json& element : value)
            if (!element.is_structured()) add(text_of_json(element));
    } else if (value.is_object()) {
        for (const auto& [key, unused] : value.items()) add(key);
    }
    return text;
}

std::string text_at(const nlohmann::json* value, const nlohmann::json::json_pointer& pointer) {
    if (!value) return "";
    try {
        return value->contains(pointer) ? text_of_json(value->at(pointer)) : "";
    } catch (const nlohmann::json::exception&) {  // an index into what is no array
        return "";
    }
}

}  // namespace

TextTemplate::Reference TextTemplate::read_reference(std::string_view text) {
    Reference reference;
    if (text.starts_with('/') || text.starts_with("^/")) {
        const bool of_list = text[0] == '^';
        reference.kind = of_list ? Reference::Kind::list_pointer : Reference::Kind::pointer;
        try {
            reference.pointer = nlohmann::json::json_pointer(std::string(text.substr(of_list ? 1 : 0)));
            return reference;
        } catch (const nlohmann::json::exception&) {
            fail(Status::bad_model, "{{{}}}: expected a JSON pointer such as /files/0", text);
        }
    }
    if (!text.empty() && text.size() < 4 && std::ranges::all_of(text, is_digit)) {
        reference.kind = Reference::Kind::column;
        std::from_chars(text.data(), text.data() + text.size(), reference.column);
        return reference;
    }
    if (text.empty() || !std::ranges::all_of(text, is_name))
        fail(Status::bad_model, "{{{}}}: expected /a/pointer, ^/a/pointer, a number or the name of a part", text);
    reference.part = text;
    return reference;
}

TextTemplate::TextTemplate(std::string_view text) {
    while (!text.empty()) {
        const std::size_t open = text.find_first_of("{}");
        if (open > 0) pieces_.push_back({std::string(text.substr(0, open)), {}});
        if (open == text.npos) break;
        const std::size_t close = text.find('}', open);
        if (text[open] == '}' || close == text.npos)
            fail(Status::bad_model, "{}: expected each {{ to have its }}", text);
        Piece piece;
        std::string_view inside = text.substr(open + 1, close - open - 1);
        for (std::size_t bar = 0; bar != inside.npos; inside.remove_prefix(std::min(bar + 1, inside.size()))) {
            bar = inside.find('|');
            piece.alternatives.push_back(read_reference(inside.substr(0, bar)));
            if (bar == inside.npos) break;
        }
        pieces_.push_back(std::move(piece));
        text.remove_prefix(close + 1);
    }
}

std::string TextTemplate::value_of(const Reference& reference, const Item& item) {
    using Kind = Reference::Kind;
    switch (reference.kind) {
        case Kind::pointer: return text_at(item.value, reference.pointer);
        case Kind::list_pointer: return text_at(item.list, reference.pointer);
        case Kind::column:
            if (reference.column == 0 || reference.column > item.columns.size()) return "";
            return item.columns[reference.column - 1];
        case Kind::part: {
            const auto found = item.parts.find(reference.part);
            return found == item.parts.end() ? "" : found->second;
        }
    }
    return "";
}

std::optional<std::string> TextTemplate::fill(const Item& item) const {
    std::string text;
    for (const Piece& piece : pieces_) {
        if (piece.alternatives.empty()) {
            text += piece.text;
            continue;
        }
        std::string value;
        for (const Reference& reference : piece.alternatives)
            if (value = value_of(reference, item); !value.empty()) break;
        if (value.empty()) return std::nullopt;
        text += value;
    }
    return text;
}

}  // namespace dragoman::registry
