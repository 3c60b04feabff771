// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "commands.h"

namespace cli {

void add_show(CLI::App* translate, TranslateCommand& command);
// Translates, prints the translations, and writes a page that shows which words belong together and how sure they are.
void show(TranslateCommand& command);

}  // namespace cli
