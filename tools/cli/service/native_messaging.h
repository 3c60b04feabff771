// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

// `dragoman native-messaging`: translations for add-ons of browsers, by translateLocally's protocol. In the tool where
// the service is.
namespace cli {

struct NativeMessagingCommand {
    std::vector<std::string> models;  // paths or names; empty: as for the service
    std::string device, cache_dir, compute_type;
    bool offline = false;
    std::vector<std::string> install, uninstall;  // browsers, "all"
    std::vector<std::string> extensions;
};

// The command's options; null in a tool without the service.
CLI::App* add_native_messaging(CLI::App& app, NativeMessagingCommand& command);
void native_messaging(NativeMessagingCommand& command);

}  // namespace cli
