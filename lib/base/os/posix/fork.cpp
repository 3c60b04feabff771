// SPDX-License-Identifier: Apache-2.0
#include "base/os/fork.h"

#include <pthread.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>

namespace dragoman::os {
namespace {

constexpr uint32_t kMostPlaces = 1024;

constinit std::atomic<uint32_t> count = 0;
constinit std::atomic<uint32_t> others = 0;  // threads beside the one that forks
constinit std::atomic<uint32_t> places = 0;  // of threads that ended with a fork, this one's or an earlier one
constinit std::atomic<bool> kept = true;

void before_fork() {
    struct stat tasks;  // Linux: . and .. and a folder for each thread
    others = stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink > 3 ? uint32_t(tasks.st_nlink - 3) : 0;
}

void after_fork_in_child() {
    count.fetch_add(1, std::memory_order_relaxed);
    places += others;
    kept = false;
}

[[maybe_unused]] const int registered = pthread_atfork(before_fork, nullptr, after_fork_in_child);

}  // namespace

uint32_t forks() noexcept { return count.load(std::memory_order_relaxed); }

// A thread that has ended and was not joined keeps its place, and joining it returns.
void keep_places_of_parent_threads() noexcept {
#ifdef __GLIBC__
    if (kept.exchange(true)) return;
    for (uint32_t i = std::min(places.load(), kMostPlaces); i > 0; --i) {
        pthread_t thread;
        if (pthread_create(&thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr) != 0) return;
    }
#endif
}

}  // namespace dragoman::os
