// SPDX-License-Identifier: Apache-2.0
#include "base/os/process.h"

#include "base/os/windows/api.h"
// This header needs windows.h before it.
#include <psapi.h>

namespace dragoman::os {
namespace {

PROCESS_MEMORY_COUNTERS_EX counters() {
    PROCESS_MEMORY_COUNTERS_EX result{};
    result.cb = sizeof result;
    K32GetProcessMemoryInfo(GetCurrentProcess(), reinterpret_cast<PROCESS_MEMORY_COUNTERS*>(&result), sizeof result);
    return result;
}

}  // namespace

uint64_t peak_resident_bytes() { return counters().PeakWorkingSetSize; }

uint64_t unbacked_bytes() { return counters().PrivateUsage; }

std::optional<uint64_t> free_memory_bytes() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    if (!GlobalMemoryStatusEx(&status)) return std::nullopt;
    return status.ullAvailPhys;
}

std::optional<std::array<double, 3>> load_average() { return std::nullopt; }

}  // namespace dragoman::os
