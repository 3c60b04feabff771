// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "support/run_program.h"

namespace dragoman::test {

// What a run that must end well has printed.
inline std::string output(const Run& run) {
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    return run.out;
}

inline void check_refused(const Run& run, const std::string& why) {
    CHECK(run.exit_code != 0);
    CHECK(run.out.empty());
    CHECK_MESSAGE(run.err.find(why) != std::string::npos, run.err);
}

}  // namespace dragoman::test
