// SPDX-License-Identifier: Apache-2.0
#include "base/side_by_side.h"

#include <thread>
#include <vector>

#include "base/failure.h"
#include "base/start_thread.h"

namespace dragoman {
namespace {

class Threads {
public:
    explicit Threads(std::size_t count) { threads_.reserve(count); }
    ~Threads() { join(); }
    Threads(const Threads&) = delete;
    void start(const char* what, std::function<void()> body) {
        threads_.push_back(start_thread(what, std::move(body)));
    }
    void join() {
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
    }

private:
    std::vector<std::thread> threads_;
};

}  // namespace

void side_by_side(const char* what, std::size_t count, const std::function<void(std::size_t)>& body) {
    if (count == 0) return;
    if (count == 1) return body(0);
    std::vector<Failure> failures(count);
    const auto run = [&](std::size_t number) {
        try {
            body(number);
        } catch (...) {
            failures[number] = Failure::current();
        }
    };
    {
        Threads threads(count - 1);
        for (std::size_t number = 1; number < count; ++number) threads.start(what, [&run, number] { run(number); });
        run(0);
    }
    for (const Failure& failure : failures)
        if (failure) std::rethrow_exception(failure.exception());
}

}  // namespace dragoman
