// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#if __has_include(<sys/resource.h>)
#include <sys/resource.h>
#endif

namespace dragoman::bench {

// Most memory this process has had resident so far; 0 where the system does not say.
inline uint64_t host_peak_bytes() {
#ifdef __linux__
    rusage usage{};
    return getrusage(RUSAGE_SELF, &usage) == 0 ? uint64_t(usage.ru_maxrss) * 1024 : 0;
#else
    return 0;
#endif
}

}  // namespace dragoman::bench
