// SPDX-License-Identifier: Apache-2.0
// A device that finishes nothing is found out, and closing it does not wait for it.
#include "vulkan/stall.h"

#include <doctest/doctest.h>

#include <string>

#include "base/error.h"
#include "support/environment.h"
#include "support/lose_device.h"
#include "test_kernels.h"
#include "vulkan/reopen.h"

namespace stall_test {

using namespace dragoman;
using namespace dragoman::vulkan;
using namespace std::chrono_literals;

namespace {

std::shared_ptr<Context> impatient() {
    test::set_environment("DRAGOMAN_HANG_SECONDS", "1");
    auto context = Context::create({.device = "0"});
    test::set_environment("DRAGOMAN_HANG_SECONDS", nullptr);
    return context;
}

}  // namespace

TEST_CASE("only time without progress counts, and only while the thread was awake") {
    const Stall::Clock::time_point begin{};
    Stall stall(10s, 0, begin);
    auto now = begin;
    for (int second = 0; second < 10; ++second) CHECK(!stall.over(0, now += 1s));
    CHECK(!stall.over(1, now += 1s));  // it made progress
    for (int second = 0; second < 10; ++second) CHECK(!stall.over(1, now += 1s));
    CHECK(stall.over(1, now += 1s));

    Stall stopped(10s, 0, begin);
    now = begin;
    for (int hour = 0; hour < 5; ++hour) CHECK(!stopped.over(0, now += 1h));
    CHECK(stopped.over(0, now += 1h));  // two seconds for each look
}

TEST_CASE("the limit is what was asked for, what the environment says, or the kind's") {
    Caps gpu, cpu;
    gpu.kind = DeviceKind::discrete;
    cpu.kind = DeviceKind::cpu;
    CHECK(hang_limit(gpu) == 60s);
    CHECK(hang_limit(cpu) == 300s);
    test::set_environment("DRAGOMAN_HANG_SECONDS", "7");
    CHECK(hang_limit(gpu) == 7s);
    CHECK(hang_limit(cpu) == 7s);
    for (const char* wrong : {"0", "-1", "1e3", "7 ", "1000001"}) {
        CAPTURE(wrong);
        test::set_environment("DRAGOMAN_HANG_SECONDS", wrong);
        CHECK_THROWS_AS(hang_limit(cpu), Error);
    }
    test::set_environment("DRAGOMAN_HANG_SECONDS", nullptr);
}

TEST_CASE("a submission that never ends makes the device lost, and the context goes without it") {
    const auto context = impatient();
    const auto x = test::words(*context, {1, 2});
    context->wait_idle();
    test::hang(*context);
    const uint32_t word = 5;
    context->upload(*x, &word, 4);
    const uint64_t value = context->submit(std::span<const CommandList* const>{});
    try {
        context->wait(value);
        FAIL("it ended");
    } catch (const Error& error) {
        CHECK(error.status() == Status::device_lost);
        CHECK(std::string(error.what()).find("finished nothing for 1 s") != std::string::npos);
    }
    CHECK(is_lost(*context));
}

TEST_CASE("a device that hangs is not waited for when it is closed") {
    auto context = impatient();
    auto x = test::words(*context, {1, 2});
    context->wait_idle();
    test::hang(*context);
    const uint32_t word = 5;
    context->upload(*x, &word, 4);
    context->submit(std::span<const CommandList* const>{});
    x.reset();
    const std::weak_ptr<Context> left = context;
    context.reset();  // finds it out
    CHECK(left.expired());
}

}  // namespace stall_test
