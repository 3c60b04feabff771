// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "base/error.h"
#include "support/device.h"
#include "test_kernels.h"

namespace buffer_test {

using namespace dragoman;
using namespace dragoman::vulkan;

namespace {

std::vector<uint8_t> pattern(size_t bytes, uint32_t seed) {
    std::vector<uint8_t> data(bytes);
    for (size_t i = 0; i < bytes; ++i) data[i] = static_cast<uint8_t>((i * 2654435761u + seed) >> 13);
    return data;
}

}  // namespace

TEST_CASE("what is uploaded comes back, at odd sizes and beyond the ring") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        for (const size_t bytes : {size_t(1), size_t(3), size_t(4095), (size_t(4) << 20) - 1, (size_t(4) << 20) + 1,
                                   (size_t(37) << 20) + 5}) {
            CAPTURE(bytes);
            const auto buffer = context->buffer(bytes, BufferUse::device, "buffer");
            const std::vector<uint8_t> data = pattern(bytes, static_cast<uint32_t>(bytes));
            context->upload(*buffer, data.data(), bytes);
            std::vector<uint8_t> back(bytes);
            context->readback(*buffer, back.data(), bytes);
            CHECK((back == data));
        }
    });
}

TEST_CASE("uploads to parts of a buffer, again and again, keep their order") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        constexpr size_t kBytes = 1000;
        const auto buffer = context->buffer(kBytes, BufferUse::device, "buffer");
        std::vector<uint8_t> expected(kBytes, 0);
        context->upload(*buffer, expected.data(), kBytes);
        for (uint32_t i = 0; i < 200; ++i) {
            const size_t at = i * 37 % 900, bytes = 1 + i % 100;
            const std::vector<uint8_t> part = pattern(bytes, i);
            context->upload({*buffer, at, bytes}, part.data(), bytes);
            std::copy(part.begin(), part.end(), expected.begin() + static_cast<std::ptrdiff_t>(at));
        }
        std::vector<uint8_t> back(kBytes);
        context->readback(*buffer, back.data(), kBytes);
        CHECK((back == expected));
        std::vector<uint8_t> part(7);
        context->readback({*buffer, 101, 7}, part.data(), 7);
        CHECK(std::equal(part.begin(), part.end(), expected.begin() + 101));
    });
}

TEST_CASE("an upload is ordered between the submissions before and after it") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        const auto x = test::words(*context, {1, 1, 1});
        const auto y = test::words(*context, {0, 0, 0});
        Recorder recorder(context);
        test::record_mix(recorder, *x, *y, 10);
        const auto list = recorder.finish();
        for (uint32_t digit = 1; digit <= 6; ++digit) {
            const std::vector<uint32_t> digits(3, digit);
            context->upload(*x, digits.data(), 12);
            context->submit(*list);
        }
        CHECK(test::words_of(*context, *y) == std::vector<uint32_t>(3, 123456));
    });
}

TEST_CASE("dynamic buffers are written by the host, progress buffers read by it") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        const auto x = context->buffer(12, BufferUse::dynamic, "x");
        const auto y = context->buffer(12, BufferUse::progress, "y");
        REQUIRE(x->mapped() != nullptr);
        REQUIRE(y->mapped() != nullptr);
        CHECK(context->buffer(12, BufferUse::device, "z")->mapped() == nullptr);
        Recorder recorder(context);
        recorder.fill(*y, 5);
        test::record_mix(recorder, *x, *y, 2);
        const auto list = recorder.finish();
        for (uint32_t i = 0; i < 3; ++i) {
            for (uint32_t j = 0; j < 3; ++j) static_cast<uint32_t*>(x->mapped())[j] = i + j;
            context->wait(context->submit(*list));
            for (uint32_t j = 0; j < 3; ++j) CHECK(static_cast<const uint32_t*>(y->mapped())[j] == 10 + i + j);
        }
    });
}

TEST_CASE("a buffer beyond what a shader can bind is refused, an empty one is a mistake") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        try {
            context->buffer(context->caps().max_storage_range_bytes + 1, BufferUse::device, "too large");
            FAIL("nothing was thrown");
        } catch (const Error& error) {
            CHECK(error.status() == Status::unsupported);
            CHECK(std::string(error.what()).find("too large") != std::string::npos);
        }
        CHECK_THROWS_AS(context->buffer(0, BufferUse::device, "empty"), Error);
    });
}

}  // namespace buffer_test
