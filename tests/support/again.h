// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>

#include "base/os/library.h"
#include "base/os/path_text.h"
#include "support/run_program.h"

namespace dragoman::test {

// Runs one skipped test case of this executable in a process of its own; true when it passes there.
// `environment`: "NAME=value NAME=value".
inline bool passes_in_child(const std::string& environment, const std::string& test_case) {
    static const int here = 0;
    const Run again = run(dragoman::text_of(os::file_of_address(&here)),
                          {"--no-skip", "--minimal", "--test-case=" + test_case}, "", with_validation() + environment);
    std::fputs((again.out + again.err).c_str(), stdout);
    return again.exit_code == 0;
}

}  // namespace dragoman::test
