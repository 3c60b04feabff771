// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "support/temp_dir.h"

namespace dragoman::test {

struct Run {
    int exit_code;  // -1: something else ended it
    std::string out, err;
};

// Runs a program with `input` on standard input. `environment`: "NAME=value NAME='value with spaces'", besides this
// process's own.
Run run(const std::string& program, const std::vector<std::string>& arguments, const std::string& input = "",
        const std::string& environment = "");

}  // namespace dragoman::test
