// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "serve/keys_command.h"

namespace cli {

// `dragoman serve keys ACTION [ID|FILE]`.
struct KeysCommand {
    std::string action, word, keys_file, state;
    ::serve::KeysCommand how;
};

CLI::App* add_keys(CLI::App& serve, KeysCommand& command);
void keys(KeysCommand& command);

}  // namespace cli
