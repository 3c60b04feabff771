// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "commands.h"

namespace cli {

struct DoctorCommand {
    Machine machine;
    std::string text, from, to;  // of the translation; empty: chosen for the model
    bool full = false, json = false;
};

CLI::App* add_doctor(CLI::App& app, DoctorCommand& command);
// False: no translation works.
bool doctor(DoctorCommand& command);

}  // namespace cli
