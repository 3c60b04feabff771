// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

// For messages that tell how to go on. main() calls it first.
void remember_command_line(int argc, const char* const* argv);

// The command that was given, as a shell takes it, with --resume.
std::string command_to_resume();

}  // namespace cli
