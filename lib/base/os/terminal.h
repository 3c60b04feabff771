// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>

namespace dragoman::os {

bool is_terminal(std::FILE* stream);

// First in main(): arguments, standard input and output become UTF-8 with the line ends that are written, on a system
// where they are not. The arguments stay until the program ends.
void prepare_console(int& argc, char**& argv);

// Ends the program as Ctrl-C does where nothing catches it, so that a shell sees what ended it.
[[noreturn]] void end_as_interrupted();

}  // namespace dragoman::os
