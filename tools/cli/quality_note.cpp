// SPDX-License-Identifier: Apache-2.0
#include "quality_note.h"

#include <cstdio>

#include "base/os/terminal.h"

namespace cli {

void explain_quality() {
    if (!dragoman::os::is_terminal(stderr)) return;
    std::fputs(
        "dragoman: the number in front, 0 to 1, estimates the translation's chrF; good ones seldom have more than 0.6,\n"
        "so compare them with each other (docs/quality.md has a scale)\n",
        stderr);
}

}  // namespace cli
