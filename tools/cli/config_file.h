// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <filesystem>

namespace cli {

// Where a user's defaults for `dragoman translate` are, whether there is a file or not; empty: the system does not say.
std::filesystem::path config_path();

// Gives options that the command line leaves open the values of the user's file, except those that the environment
// sets. Throws Failure, which names file and line.
void read_config(CLI::App& translate);

}  // namespace cli
