// SPDX-License-Identifier: Apache-2.0
#include "base/os/terminal.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

namespace dragoman::os {

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) != 0; }

const char* end_of_input() { return "Ctrl-D"; }

void prepare_console(int&, char**&) {}

void end_as_interrupted() {
    constexpr int kAsShellsSay = 128 + SIGINT;
    signal(SIGINT, SIG_DFL);
    raise(SIGINT);
    _exit(kAsShellsSay);
}

}  // namespace dragoman::os
