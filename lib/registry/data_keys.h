// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "registry/text_template.h"

namespace dragoman::registry {

// An object of a registry's data file. Everything throws bad_model naming the file and the key.
class DataKeys {
public:
    DataKeys(const nlohmann::json& object, std::string where) : object_(object), where_(std::move(where)) {
        if (!object.is_object()) fail(Status::bad_model, "{}: expected an object, got {}", where_, object.type_name());
    }

    const nlohmann::json* find(const std::string& key) {
        known_.insert(key);
        const auto found = object_.find(key);
        return found == object_.end() ? nullptr : &*found;
    }
    std::string text(const std::string& key) {
        const nlohmann::json* value = find(key);
        if (!value) return "";
        if (!value->is_string()) fail(Status::bad_model, "{}: expected a text, got {}", at(key), value->type_name());
        return value->get<std::string>();
    }
    std::string needed(const std::string& key) {
        const std::string value = text(key);
        if (value.empty()) fail(Status::bad_model, "{}: expected a text, it is missing or empty", at(key));
        return value;
    }
    bool flag(const std::string& key) {
        const nlohmann::json* value = find(key);
        if (value && !value->is_boolean())
            fail(Status::bad_model, "{}: expected true or false, got {}", at(key), value->type_name());
        return value && value->get<bool>();
    }
    std::vector<std::string> texts(const std::string& key) {
        std::vector<std::string> list;
        for (const nlohmann::json& element : elements(key)) {
            if (!element.is_string())
                fail(Status::bad_model, "{}: expected texts, got {}", at(key), element.type_name());
            list.push_back(element.get<std::string>());
        }
        return list;
    }
    // The elements of a list; none where the key is missing.
    std::vector<nlohmann::json> elements(const std::string& key) {
        const nlohmann::json* value = find(key);
        if (!value) return {};
        if (!value->is_array()) fail(Status::bad_model, "{}: expected a list, got {}", at(key), value->type_name());
        return {value->begin(), value->end()};
    }
    TextTemplate text_template(const std::string& key) { return read_template(text(key), key); }
    TextTemplate read_template(const std::string& text, const std::string& key) const {
        try {
            return TextTemplate(text);
        } catch (const Error& error) {
            fail(Status::bad_model, "{}: {}", at(key), error.what());
        }
    }
    // Refuses keys that nobody has asked for: they are mistyped.
    void finish() const {
        for (const auto& [key, value] : object_.items())
            if (!known_.contains(key))
                fail(Status::bad_model, "{}: not a key; those here are {}", at(key), fmt::join(known_, ", "));
    }
    std::string at(const std::string& key) const { return where_ + ": " + key; }

private:
    const nlohmann::json& object_;
    std::string where_;
    std::set<std::string> known_;
};

}  // namespace dragoman::registry
