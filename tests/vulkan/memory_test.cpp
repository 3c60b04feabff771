// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "base/error.h"
#include "support/device.h"
#include "test_kernels.h"

namespace memory_test {

using namespace dragoman;
using namespace dragoman::vulkan;

TEST_CASE("the limit holds, names the buffer, and what is freed can be used again") {
    test::for_every_device(
        [](const std::shared_ptr<Context>& context) {
            auto first = context->buffer(600'000, BufferUse::device, "first");
            for (int i = 0; i < 3; ++i) {
                try {
                    context->buffer(500'000, BufferUse::device, "second");
                    FAIL("nothing was thrown");
                } catch (const Error& error) {
                    CHECK(error.status() == Status::out_of_memory);
                    const std::string message = error.what();
                    for (const char* part : {"second", "500000", "600000", "1000000"})
                        CHECK(message.find(part) != std::string::npos);
                }
            }
            CHECK(context->stats().memory_bytes == 600'000);
            first.reset();
            const auto whole = context->buffer(1'000'000, BufferUse::device, "whole");
            CHECK(context->stats().memory_bytes == 1'000'000);
        },
        {.memory_limit_bytes = 1'000'000});
}

// On devices with one heap the host's buffers lie in it too, so they have some room.
TEST_CASE("a full heap is out of memory, after what is freed but in use was waited for") {
    constexpr uint64_t kHeap = 64u << 20, kPart = 8u << 20;
    test::for_every_device(
        [](const std::shared_ptr<Context>& context) {
            std::vector<std::shared_ptr<Buffer>> parts;
            try {
                while (parts.size() < kHeap / kPart + 1)
                    parts.push_back(context->buffer(kPart, BufferUse::device, "part"));
                FAIL("nothing was thrown");
            } catch (const Error& error) {
                CHECK(error.status() == Status::out_of_memory);
                CHECK(std::string(error.what()).find("has no room for it") != std::string::npos);
            }
            CHECK(parts.size() >= 4);
            const uint64_t held = parts.size() * kPart;
            CHECK(context->stats().memory_bytes == held);
            CHECK(context->available_bytes() <= kHeap - held);
            Recorder recorder(context);
            for (const auto& part : parts) recorder.fill(*part, 3);
            const auto list = recorder.finish();
            context->submit(*list, 3);
            parts.pop_back();  // the list holds it
            CHECK_THROWS_AS(context->buffer(kPart, BufferUse::device, "again"), Error);
        },
        {.heap_limit_bytes = kHeap});
    test::for_every_device(
        [&](const std::shared_ptr<Context>& context) {
            for (int i = 0; i < 20; ++i) {  // each round frees its buffer while the device may still use it
                const auto part = context->buffer(5 * kPart, BufferUse::device, "part");
                Recorder recorder(context);
                recorder.fill(*part, 1);
                context->submit(*recorder.finish());
            }
            CHECK(context->stats().memory_peak_bytes <= kHeap);
        },
        {.heap_limit_bytes = kHeap});
}

TEST_CASE("uploads work within a limit smaller than the ring") {
    test::for_every_device(
        [](const std::shared_ptr<Context>& context) {
            const std::vector<uint32_t> values(1000, 7);
            const auto buffer = test::words(*context, values);
            CHECK(test::words_of(*context, *buffer) == values);
        },
        {.memory_limit_bytes = 4096});
}

TEST_CASE("memory in use by the device is waited for before an allocation fails") {
    test::for_every_device(
        [](const std::shared_ptr<Context>& context) {
            const uint32_t words = 100'000;
            for (int i = 0; i < 20; ++i) {  // each round frees its buffers while the device may still use them
                const auto x = context->buffer(words * 4, BufferUse::device, "x");
                const auto y = context->buffer(words * 4, BufferUse::device, "y");
                Recorder recorder(context);
                recorder.fill(*x, 1);
                recorder.fill(*y, 0);
                test::record_mix(recorder, *x, *y, 3);
                context->submit(*recorder.finish(), 3);
            }
            CHECK(context->stats().memory_peak_bytes <= 1'000'000);
        },
        {.memory_limit_bytes = 1'000'000});
}

TEST_CASE("what a submission uses outlives its owners, then all memory is given back") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        const uint32_t count = 50'000;
        const auto result = context->buffer(count * 4, BufferUse::device, "result");
        const uint64_t before = context->stats().memory_bytes;
        uint64_t value = 0;
        {
            const auto x = test::words(*context, std::vector<uint32_t>(count, 1));
            Recorder recorder(context);
            recorder.fill(*result, 0);
            for (int i = 0; i < 20; ++i) test::record_mix(recorder, *x, *result, 2);
            value = context->submit(*recorder.finish());
        }
        CHECK(test::words_of(*context, *result) == std::vector<uint32_t>(count, (1u << 20) - 1));
        context->wait(value);
        CHECK(context->finished(value));
        CHECK(context->stats().memory_bytes == before);
        CHECK(context->stats().memory_peak_bytes == before + count * 4);
        context->reset_stats();
        CHECK(context->stats().memory_peak_bytes == before);
    });
}

TEST_CASE("a buffer freed after its upload and before any submission") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        test::words(*context, std::vector<uint32_t>(1000, 1)).reset();
        const auto kept = test::words(*context, {1, 2, 3});
        CHECK(test::words_of(*context, *kept) == std::vector<uint32_t>{1, 2, 3});
        CHECK(context->stats().memory_bytes == 12);
        test::words(*context, std::vector<uint32_t>(1000, 1)).reset();
        context->wait_idle();
        CHECK(context->stats().memory_bytes == 12);
    });
}

TEST_CASE("trim gives the rings back and uploads make new ones") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        for (uint32_t i = 0; i < 3; ++i) {
            const auto buffer = test::words(*context, {i, i + 1});
            context->trim();
            CHECK(test::words_of(*context, *buffer) == std::vector<uint32_t>{i, i + 1});
            context->trim();
        }
    });
}

}  // namespace memory_test
