// SPDX-License-Identifier: Apache-2.0
#include "service.h"

namespace cli {

struct ServeCommand::Options {};
ServeCommand::ServeCommand() = default;
ServeCommand::~ServeCommand() = default;
CLI::App* add_serve(CLI::App&, ServeCommand&) { return nullptr; }
void serve(ServeCommand&) {}

}  // namespace cli
