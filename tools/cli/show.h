// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <memory>

#include "commands.h"
#include "inputs.h"

namespace cli {

// The command's texts, or what its input has.
std::unique_ptr<Inputs> inputs_of(TranslateCommand& command);

void add_show(CLI::App* translate, TranslateCommand& command);
// Translates, prints the translations, and writes a page that shows which words belong together and how sure they are.
void show(TranslateCommand& command);

}  // namespace cli
