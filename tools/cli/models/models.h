// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../commands.h"

// Published models by their names. A tool that was built without libdragoman_models has without_models.cpp instead.
namespace cli {

struct ModelsCommand {
    std::string action;              // "list", "search" ...
    std::vector<std::string> words;  // names, or two languages
    std::vector<std::string> registries;
    std::string from, to;
    std::optional<int32_t> convert;  // a dragoman_weight_type
    bool json = false, offline = false, refresh = false, again = false, yes = false, progress = true;
    int parallel = 4;
    double days = 7;
};

// The command's options; null in a tool without these models.
CLI::App* add_models(CLI::App& app, ModelsCommand& command);
// --yes and --offline of a command that takes a model.
void add_download_flags(CLI::App& app, Downloads& downloads);

// False: a model differs from what it was, or one of several failed, which was told.
bool models(const ModelsCommand& command);

// Where no model was named: those on this machine that lead from --from to --to, before the one that comes with the
// library; where none does, those that registries offer, downloaded when the user agrees. Names of models that are not here
// are downloaded likewise. Throws Failure.
void choose_models(TranslateCommand& command);

}  // namespace cli
