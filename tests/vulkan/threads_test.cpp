// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <atomic>
#include <exception>
#include <stdexcept>
#include <thread>

#include "support/device.h"
#include "test_kernels.h"

namespace threads_test {

using namespace dragoman;
using namespace dragoman::vulkan;

namespace {

constexpr uint32_t kThreads = 4;

// Runs f(thread number) on all threads and rethrows what one of them threw.
template <class F>
void in_parallel(F&& f) {
    std::vector<std::exception_ptr> errors(kThreads);
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < kThreads; ++t)
        threads.emplace_back([&, t] {
            try {
                f(t);
            } catch (...) {
                errors[t] = std::current_exception();
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
}

}  // namespace

TEST_CASE("threads allocate, upload, record, submit and read back on one context") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        std::atomic<uint32_t> wrong = 0;
        in_parallel([&](uint32_t t) {
            for (uint32_t round = 0; round < 8; ++round) {
                const uint32_t count = 1000 + 100 * t + round;
                const auto x = test::words(*context, std::vector<uint32_t>(count, t));
                const auto y = test::words(*context, std::vector<uint32_t>(count, round));
                Recorder recorder(context);
                test::record_mix(recorder, *x, *y, 2, {.size = 16u << t % 2, .step = 1 + round});
                const auto list = recorder.finish();
                const uint64_t value = context->submit(*list, 3);
                if (round % 2) context->wait(value);
                const std::vector<uint32_t> expected(count, round * 8 + t * 7);
                if (test::words_of(*context, *y) != expected) ++wrong;
            }
        });
        CHECK(wrong == 0);
        context->wait_idle();
        CHECK(context->stats().memory_bytes == 0);
    });
}

TEST_CASE("threads open and close contexts") {
    const auto devices = list_devices();
    in_parallel([&](uint32_t t) {
        for (int i = 0; i < 3; ++i) {
            const auto context = Context::create({.device = std::to_string(t % devices.size())});
            const auto x = test::words(*context, {t});
            if (test::words_of(*context, *x) != std::vector<uint32_t>{t}) throw std::runtime_error("wrong word");
        }
    });
}

}  // namespace threads_test
