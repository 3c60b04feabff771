// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace cli {

// What is wrong with the command line, and what may have been meant.
std::string explain(const CLI::App& app, const CLI::ParseError& error);

// The same of one option's value: what is expected, and what came.
std::string explain_value(const CLI::Option& option, const CLI::ParseError& error);
std::string no_such_command(const CLI::App& app, const std::string& name);

// A message of the library with the names that options have here: "beam_size: ..." is "--beam: ...".
std::string in_flags(const std::string& message);

}  // namespace cli
