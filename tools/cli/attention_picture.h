// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "commands.h"

namespace cli {

void add_attention_picture(CLI::App* translate, TranslateCommand& command);
// Translates, prints the translations, and draws which pieces of each sentence look at which.
void draw_attention(TranslateCommand& command);

}  // namespace cli
