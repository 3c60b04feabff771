// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "commands.h"

// The commands of the tool with their options, which fill in the commands' structs.
namespace cli {

// `dragoman translate`, or `dragoman continue` where the command says so.
CLI::App* add_translate(CLI::App& app, TranslateCommand& command);
CLI::App* add_score(CLI::App& app, ScoreCommand& command);
CLI::App* add_bench(CLI::App& app, BenchCommand& command);
CLI::App* add_convert(CLI::App& app, ConvertCommand& command);
CLI::App* add_embed(CLI::App& app, EmbedCommand& command);
CLI::App* add_detect(CLI::App& app, DetectCommand& command);

}  // namespace cli
