// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <memory>

// `dragoman serve` and its keys. A tool that was built without the service has without_service.cpp instead.
namespace cli {

struct ServeCommand {
    ServeCommand();
    ~ServeCommand();
    struct Options;  // of the service
    std::unique_ptr<Options> options;
};

// The command's options; null in a tool without the service.
CLI::App* add_serve(CLI::App& app, ServeCommand& command);

// Serves until it is told to end, or does what `serve keys` says.
void serve(ServeCommand& command);

}  // namespace cli
