// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "commands.h"

namespace cli {

// The flags that are options of translating (capi/options.json), those of one group of the help.
void add_option_flags(CLI::App* app, TranslateCommand& command, const std::string& group);

template <class T>
void add_flag(CLI::App* app, const char* name, T& target, int32_t value, const char* text, const std::string& group) {
    app->add_flag_callback(name, [&target, value] { target = T(value); }, text)->group(group);
}

template <class T>
void add_flag(CLI::App* app, const char* name, T& target, const char* text, const char* group) {
    add_flag(app, name, target, 1, text, group);
}

// Refuses "-" as the file of an option that is never standard output.
inline CLI::Option* expect_file(CLI::Option* option) {
    return option->check(
        [](const std::string& name) {
            return name == "-" ? std::string("expected a file, got -, which only --output takes as standard output")
                               : std::string();
        },
        "");
}

// A check: nan is no number, though C++ reads it as one.
std::string is_number(const std::string& said);

// The words of a choice, with commas.
std::string names(const std::map<std::string, int32_t>& choices);

}  // namespace cli
