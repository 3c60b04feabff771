// SPDX-License-Identifier: Apache-2.0
#include "base/os/terminal.h"

#include <stdio.h>
#include <unistd.h>

namespace dragoman::os {

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) != 0; }

void prepare_console(int&, char**&) {}

}  // namespace dragoman::os
