// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/environment.h"
#include "support/temp_dir.h"

namespace dragoman::test {

struct Run {
    int exit_code;  // -1: something else ended it
    std::string out, err;
};

// Runs a program with `input` on standard input. `environment`: "NAME=value NAME='value with spaces'", besides this
// process's own, but for DRAGOMAN_VALIDATION: the layers take a third of a short run's time, and log what few tests read.
Run run(const std::string& program, const std::vector<std::string>& arguments, const std::string& input = "",
        const std::string& environment = "");

// Gives the layers to a program whose log is searched for their messages, where this process has them.
inline std::string with_validation() { return environment_flag("DRAGOMAN_VALIDATION") ? "DRAGOMAN_VALIDATION=1 " : ""; }

}  // namespace dragoman::test
