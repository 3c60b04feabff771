// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>

namespace dragoman::os {

bool is_terminal(std::FILE* stream);

// The keys that end what is typed.
const char* end_of_input();

// Call it first in main(): makes arguments, standard input and standard output UTF-8 with unchanged line ends, on
// systems where they are not. The arguments stay valid until the program ends.
void prepare_console(int& argc, char**& argv);

// Ends the program as an uncaught SIGINT or SIGTERM does, so that a shell sees why it ended: 130 or 143.
[[noreturn]] void end_as_interrupted(int signal);

}  // namespace dragoman::os
