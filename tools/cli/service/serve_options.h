// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "keys.h"
#include "serve/serve.h"
#include "service.h"

namespace cli {

// What the command line says. Where the service has another type than an option, the option has a member of its own.
struct ServeCommand::Options {
    ::serve::ServeOptions service;
    std::string state, keys_file, certificate, private_key, unix_socket, admin_key_file, metrics_token_file;
    std::string log, log_level;
    int64_t head_time = 0, idle_time = 0, grace = 0;  // seconds
    std::vector<std::string> notes;                   // on variables that are not heeded
    KeysCommand keys;
    CLI::App* of_keys = nullptr;
};

void add_serve_options(CLI::App& app, ServeCommand::Options& options);

// Models of the service and of what else translates for other programs.
CLI::Option* add_served_models(CLI::App& app, std::vector<std::string>& models);

}  // namespace cli
