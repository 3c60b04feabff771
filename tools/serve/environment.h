// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "serve/serve.h"

namespace serve {

// The value of a variable of the environment; "" where it is not set.
using Environment = std::function<std::string(const std::string& name)>;
std::string system_environment(const std::string& name);

// Takes LibreTranslate's variables (LT_*) where they mean something here, then those of this service
// (DRAGOMAN_SERVE_*), which overrule them. Gives sentences on what is set and is not heeded. Throws std::runtime_error
// naming variable and value.
std::vector<std::string> read_environment(ServeOptions& options, const Environment& environment = system_environment);

// The first line of a file, without blanks around it: a key or token, which others would see on the command line.
// Throws std::runtime_error: no file, an empty line.
std::string read_secret(const std::filesystem::path& file);

// `given`, or where it is empty: the first of systemd's $STATE_DIRECTORY, otherwise "dragoman/serve" in $XDG_STATE_HOME
// or ~/.local/state. Makes nothing. Throws std::runtime_error where the system names no folder.
std::filesystem::path state_folder(const std::filesystem::path& given,
                                   const Environment& environment = system_environment);
// Where keys are, unless a file is named.
std::filesystem::path keys_file_in(const std::filesystem::path& state);

}  // namespace serve
