// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <set>
#include <string>

namespace cli {

// The long names of the options that a command line has, without dashes.
std::set<std::string> given_options(const CLI::App& command);

// Checks options that need others, which may come from the user's file, too, so this goes behind read_config(): an error
// are those that need others, and those of `given` that change nothing without them. A default of the file may be idle.
// Throws CLI::ParseError.
void check_combinations(const CLI::App& command, const std::set<std::string>& given);

}  // namespace cli
