// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "registry/registry.h"

namespace dragoman::registry {

struct HubFile {
    std::string path;  // in the repository, or in the folder of it that was asked for
    uint64_t bytes = 0;
    std::string sha256, git_sha1;  // one of them, or none
};

// A set of files that is a model, as the data file lists them, best first.
struct HubForm {
    std::string form;                  // "safetensors"
    std::vector<std::string> weights;  // patterns: the first must be there, of each one file is taken
    std::string index;                 // instead: a file that names them
    std::vector<std::string> needs;    // patterns of files without which it is no model
};

struct HubRules {
    // Throws bad_model naming the key of the registry's data file.
    explicit HubRules(const Registry& registry);

    std::string endpoint;
    std::vector<HubForm> forms;
    std::vector<std::string> gguf;         // what is taken of several GGUF files, best first
    std::vector<std::string> keep, leave;  // patterns of the files beside the weights
};

// The file of an encoder of sentences that names the folders of its modules.
inline constexpr const char* kModulesFile = "modules.json";

struct HubChoice {
    std::string form;
    std::string folder;  // of the repository, with a '/' behind; "" is all of it
    std::vector<HubFile> files;
    std::string index;   // one of the files; the weights that it names are still to be added
};

// Which files of a repository are taken. `select`: a file, a folder, or what a GGUF file is called by ("Q8_0"); "": the
// rule decides. Throws unsupported where nothing is a model, invalid_argument for a selection that is not there.
HubChoice choose_files(const HubRules& rules, std::vector<HubFile> files, const std::string& select);

// Adds what the folders that a modules file names have of `all`, the repository's files: settings, and one form of the
// weights. Throws bad_model for another list, and for a name that leads out of its folder.
void add_modules(const nlohmann::json& modules, const std::vector<HubFile>& all, HubChoice& choice);

// '*' stands for any characters.
bool fits_pattern(std::string_view name, std::string_view pattern);

}  // namespace dragoman::registry
