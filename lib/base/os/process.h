// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

// What the system counts; 0 or nullopt where it does not say.
namespace dragoman::os {

// The most memory that this process has had resident so far.
uint64_t peak_resident_bytes();
// Resident memory of this process that no file backs.
uint64_t unbacked_bytes();

// Memory that a program can take without other programs being swapped out.
std::optional<uint64_t> free_memory_bytes();

// The number of processes that want to run, averaged over 1, 5 and 15 minutes.
std::optional<std::array<double, 3>> load_average();

}  // namespace dragoman::os
