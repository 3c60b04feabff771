// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>

// Options that say where models run and in which type, in the same words for every command that has them.
namespace cli {

CLI::Option* add_device(CLI::App& app, std::string& device);
CLI::Option* add_compute_type(CLI::App& app, std::string& type);
// Makes the option's value a number of bytes: digits, with or without a unit.
CLI::Option* take_size(CLI::Option* option);
CLI::Option* add_memory_limit(CLI::App& app, uint64_t& bytes);
CLI::Option* add_cache_dir(CLI::App& app, std::string& folder);

}  // namespace cli
