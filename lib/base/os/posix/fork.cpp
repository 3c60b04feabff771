// SPDX-License-Identifier: Apache-2.0
#include "base/os/fork.h"

#include <pthread.h>

#include <atomic>

namespace dragoman::os {
namespace {

constinit std::atomic<uint32_t> count = 0;

[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr,
                                                       [] { count.fetch_add(1, std::memory_order_relaxed); });

}  // namespace

uint32_t forks() noexcept { return count.load(std::memory_order_relaxed); }

}  // namespace dragoman::os
