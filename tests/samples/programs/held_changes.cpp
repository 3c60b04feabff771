// SPDX-License-Identifier: Apache-2.0
// Makes of translate_file a program that waits before one change of its files, for the tests to end it there.
// TRANSLATE_FILE_HOLD: the number of the change, from 1 on. It says so and goes on after a line of input.
#include <cstdio>
#include <cstdlib>

#include "translate_file/checkpoint.h"

namespace {

void hold() {
    static const char* const number = std::getenv("TRANSLATE_FILE_HOLD");
    static long left = number ? std::atol(number) : 0;
    if (left == 0 || --left > 0) return;
    std::fputs("stopped before a change\n", stderr);
    std::fflush(stderr);
    while (std::getchar() != '\n' && !std::feof(stdin)) continue;
}

const bool set = (before_change = hold, true);

}  // namespace
