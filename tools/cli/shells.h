// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <vector>

// What shells and man read of the commands and their options: made of the same table as the options themselves.
namespace cli {

// The script that completes the tool's command lines in bash, zsh or fish.
std::string completion(const CLI::App& app, std::string_view shell);

// The page dragoman-COMMAND.1, or dragoman.1 where the app itself is given.
std::string manual_page(const CLI::App& app);

// All of these, in a folder that is like /usr/share.
void write_shell_files(const CLI::App& app, const std::string& folder);

// The commands that people see, in order.
std::vector<const CLI::App*> commands_of(const CLI::App& app);

bool takes_value(const CLI::Option& option);
// The words that a value may be; empty: any.
std::vector<std::string> choices(const CLI::Option& option);
// In the manual and in completions: on one line.
std::string one_line(std::string_view text);

}  // namespace cli
