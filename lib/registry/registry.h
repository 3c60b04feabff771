// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dragoman::registry {

// A registry as its data file describes it; docs/registries.md has the file's keys.
struct Registry {
    std::string id;                 // "firefox"
    std::string title, homepage;
    std::string license;            // of all models, unless an entry has its own; "": not stated
    std::string notice;             // said at the first download from it; "": none
    std::string list_url;           // of the list; "" for registries without one
    std::string mirror_variable;    // DRAGOMAN_MIRROR_FIREFOX
    nlohmann::json data;            // the whole file
    std::string file;               // where it was read: a path, or "built in"
};

// The built-in registries and those of CONFIG/dragoman/registries/*.json, which replace built-in ones of their id. Throws
// bad_model naming the file and the key.
std::vector<Registry> registries();
const Registry& find_registry(const std::vector<Registry>& all,
                              const std::string& id);  // invalid_argument: lists the ids

}  // namespace dragoman::registry
