// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace dragoman::test {

inline std::atomic<int> faults = 0;

// A status that no random order of calls explains.
inline void expect(bool sound, const char* what, dragoman_status status = DRAGOMAN_OK) {
    if (sound) return;
    ++faults;
    std::fprintf(stderr, "hammer: %s: %s %s\n", what, dragoman_status_name(status), dragoman_last_error());
}
inline void expect_ok(dragoman_status status, const char* what) { expect(status == DRAGOMAN_OK, what, status); }

template <class T>
std::shared_ptr<T> owned(T* handle, void (*destroy)(T*)) {
    return {handle, [destroy](T* h) { destroy(h); }};
}

// A handle that any thread may take a share of or replace.
template <class T>
class Slot {
public:
    std::shared_ptr<T> get() {
        const std::lock_guard lock(mutex_);
        return value_;
    }
    void set(std::shared_ptr<T> value) {
        const std::lock_guard lock(mutex_);
        value_.swap(value);
    }

private:
    std::mutex mutex_;
    std::shared_ptr<T> value_;
};

// What PROGRAM SECONDS [THREADS [SEED]] says.
struct HammerOptions {
    HammerOptions(int argc, char** argv, int usual_threads)
        : seconds(std::atof(argv[1])), threads(argc > 2 ? std::atoi(argv[2]) : usual_threads),
          seed(argc > 3 ? unsigned(std::atoi(argv[3])) : std::random_device()()) {
        std::printf("%d threads, %g s, seed %u\n", threads, seconds, seed);
    }
    const double seconds;
    const int threads;
    const unsigned seed;
};

// Each thread has a worker of its own, made of `shared` and a seed.
template <class Worker, class Shared>
void run_workers(Shared& shared, const HammerOptions& options) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(int64_t(options.seconds * 1000));
    std::vector<std::thread> threads;
    for (int i = 0; i < options.threads; ++i)
        threads.emplace_back([&, i] { Worker(shared, options.seed + unsigned(i)).run(end); });
    for (std::thread& thread : threads) thread.join();
}

}  // namespace dragoman::test
