// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

// A reader and its name, that of its file without "_fuzz".
struct Replay {
    std::string_view name;
    int (*read)(const uint8_t* data, std::size_t size);
};

// The readers of this program, which the build lists.
extern const std::vector<Replay> kReplays;
