// SPDX-License-Identifier: Apache-2.0
#include "base/os/terminal.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

namespace dragoman::os {

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) != 0; }

const char* end_of_input() { return "Ctrl-D"; }

void prepare_console(int&, char**&) {}

void end_as_interrupted(int number) {
    constexpr int kAsShellsSay = 128;
    signal(number, SIG_DFL);
    raise(number);
    _exit(kAsShellsSay + number);
}

}  // namespace dragoman::os
