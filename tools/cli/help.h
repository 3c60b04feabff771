// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace cli {

// --help shows the options of a command that most people need, --help-all shows all of them.
class Help : public CLI::Formatter {
public:
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
    std::string make_option_opts(const CLI::Option* option) const override;
};

// What else --help says of a command.
void describe(CLI::App& app);

// The groups of a command's options that have a heading, in order, each with its options.
struct OptionGroup {
    std::string name;
    std::vector<const CLI::Option*> options;
};
std::vector<OptionGroup> option_groups(const CLI::App& app);

}  // namespace cli
