// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <map>
#include <string>

#include "commands.h"

// The commands of the tool with their options, which fill in the commands' structs.
namespace cli {

// `dragoman translate`, or `dragoman continue` where the command says so.
CLI::App* add_translate(CLI::App& app, TranslateCommand& command);
CLI::App* add_score(CLI::App& app, ScoreCommand& command);
CLI::App* add_bench(CLI::App& app, BenchCommand& command);
std::map<std::string, int32_t> weight_types();  // as --type of convert names them
CLI::App* add_convert(CLI::App& app, ConvertCommand& command);
CLI::App* add_embed(CLI::App& app, EmbedCommand& command);
CLI::App* add_detect(CLI::App& app, DetectCommand& command);

}  // namespace cli
