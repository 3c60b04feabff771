// SPDX-License-Identifier: Apache-2.0
#include "base/os/process.h"

#include <stdlib.h>
#include <sys/resource.h>

#include <fstream>
#include <string>

namespace dragoman::os {

uint64_t peak_resident_bytes() {
#ifdef __APPLE__
    constexpr uint64_t kUnit = 1;
#else
    constexpr uint64_t kUnit = 1024;
#endif
    rusage usage{};
    return getrusage(RUSAGE_SELF, &usage) == 0 ? uint64_t(usage.ru_maxrss) * kUnit : 0;
}

uint64_t unbacked_bytes() {
    std::ifstream status("/proc/self/status");  // Linux
    uint64_t kilobytes = 0;
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("RssAnon:") || line.starts_with("RssShmem:"))
            kilobytes += std::stoull(line.substr(line.find(':') + 1));
    return kilobytes * 1024;
}

std::optional<uint64_t> free_memory_bytes() {
    std::ifstream info("/proc/meminfo");  // Linux
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("MemAvailable:")) return std::stoull(line.substr(line.find(':') + 1)) * 1024;
    return std::nullopt;
}

std::optional<std::array<double, 3>> load_average() {
#ifndef __ANDROID__  // Android apps may not read it
    std::array<double, 3> loads{};
    if (getloadavg(loads.data(), 3) == 3) return loads;
#endif
    return std::nullopt;
}

}  // namespace dragoman::os
