// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "commands.h"

namespace cli {

struct DoctorCommand {
    Machine machine;
    std::string text, from, to;  // of the translation; empty: chosen for the model
    std::string model_from;       // the option or file that names the model; empty: none does
    std::string wrong_config;     // why the user's file of defaults cannot be read; empty: it can
    bool full = false, json = false;
};

CLI::App* add_doctor(CLI::App& app, DoctorCommand& command);
// What is open becomes as in the user's file of defaults, which is read as `translate` reads it, into `defaults`.
void take_defaults(DoctorCommand& command, CLI::App& translate, const TranslateCommand& defaults);
// False: no translation works.
bool doctor(DoctorCommand& command);

}  // namespace cli
