// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/log.h"

namespace dragoman::test {

// The lines of the warnings that come while `run` runs.
std::string warnings(const auto& run) {
    std::string lines;
    const uint64_t sink = add_log_sink([&](LogLevel, std::string_view line) { lines += std::string(line) + "\n"; },
                                       LogLevel::warning);
    run();
    remove_log_sink(sink);
    return lines;
}

}  // namespace dragoman::test
