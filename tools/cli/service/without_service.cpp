// SPDX-License-Identifier: Apache-2.0
#include "native_messaging.h"
#include "service.h"

namespace cli {

struct ServeCommand::Options {};
ServeCommand::ServeCommand() = default;
ServeCommand::~ServeCommand() = default;
CLI::App* add_serve(CLI::App&, ServeCommand&) { return nullptr; }
void serve(ServeCommand&) {}
CLI::App* add_native_messaging(CLI::App&, NativeMessagingCommand&) { return nullptr; }
void native_messaging(NativeMessagingCommand&) {}

}  // namespace cli
