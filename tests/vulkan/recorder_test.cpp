// SPDX-License-Identifier: Apache-2.0
#include "vulkan/recorder.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "support/device.h"
#include "test_kernels.h"
#include "vulkan/context_impl.h"

namespace recorder_test {

using namespace dragoman;
using namespace dragoman::vulkan;

TEST_CASE("a chain of dependent dispatches, replayed, keeps its order") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        for (const uint32_t count : {1u, 31u, 33u, 5000u}) {
            CAPTURE(count);
            const auto a = test::words(*context, std::vector<uint32_t>(count, 1));
            const auto b = test::words(*context, std::vector<uint32_t>(count, 2));
            Recorder recorder(context);
            test::record_mix(recorder, *a, *b, 3);  // b = 3 b + a
            test::record_mix(recorder, *b, *a, 5);  // a = 5 a + b
            recorder.copy(*a, *b);
            test::record_mix(recorder, *b, *a, 7, {.size = 16, .step = 3});
            const auto list = recorder.finish();
            CHECK(list->dispatches() == 3);
            uint32_t x = 1, y = 2;
            for (int i = 0; i < 24; ++i) {
                y = 3 * y + x;
                x = 5 * x + y;
                y = x;
                x = 7 * x + y;
            }
            context->submit(*list, 20);
            context->submit(*list);
            const std::vector<const CommandList*> three(3, list.get());
            context->submit(three);
            CHECK(test::words_of(*context, *a) == std::vector<uint32_t>(count, x));
            CHECK(test::words_of(*context, *b) == std::vector<uint32_t>(count, y));
        }
    });
}

TEST_CASE("a cut recording is the same commands in several lists") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        const auto a = test::words(*context, std::vector<uint32_t>(500, 1));
        const auto b = test::words(*context, std::vector<uint32_t>(500, 2));
        Recorder recorder(context);
        test::record_mix(recorder, *a, *b, 3);  // b = 3 b + a
        recorder.cut();
        test::record_mix(recorder, *b, *a, 5);  // a = 5 a + b
        test::record_mix(recorder, *a, *b, 2);
        recorder.cut();
        recorder.copy(*b, *a);
        const auto parts = recorder.finish_parts();
        REQUIRE(parts.size() == 3);
        CHECK(parts[0]->dispatches() == 1);
        CHECK(parts[1]->dispatches() == 2);
        CHECK(parts[2]->dispatches() == 0);
        for (const auto& part : parts) context->submit(*part);
        CHECK(test::words_of(*context, *b) == std::vector<uint32_t>(500, 2 * 7 + 12));
        CHECK(test::words_of(*context, *a) == std::vector<uint32_t>(500, 2 * 7 + 12));
        Recorder other(context);
        other.cut();
        CHECK_THROWS_AS(other.finish(), Error);
    });
}

TEST_CASE("ranges of one buffer are tracked apart") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        const uint32_t part = context->caps().storage_alignment, words = part / 4;
        const auto buffer = context->buffer(3 * part, BufferUse::device, "parts");
        Recorder recorder(context);
        for (uint32_t i = 0; i < 3; ++i) recorder.fill({*buffer, i * part, part}, i + 1);
        test::record_mix(recorder, {*buffer, 0, part}, {*buffer, part, part}, 10);
        test::record_mix(recorder, {*buffer, part, part}, {*buffer, 2 * part, part}, 10);
        recorder.copy({*buffer, 2 * part, part}, {*buffer, 0, part});
        context->wait(context->submit(*recorder.finish()));
        CHECK(test::words_of(*context, {*buffer, 0, part}) == std::vector<uint32_t>(words, 51));
        CHECK(test::words_of(*context, {*buffer, part, part}) == std::vector<uint32_t>(words, 21));
        CHECK(test::words_of(*context, {*buffer, 2 * part, part}) == std::vector<uint32_t>(words, 51));
    });
}

TEST_CASE("indirect dispatches read their groups from memory written just before") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        const uint32_t count = 100;
        const auto x = test::words(*context, std::vector<uint32_t>(count, 1));
        const auto y = test::words(*context, std::vector<uint32_t>(count, 0));
        const auto live = context->buffer(4, BufferUse::dynamic, "live");
        const auto arguments = context->buffer(32, BufferUse::arguments, "arguments");
        const BufferView groups(*arguments, 0, 12);
        const test::MixTile tile{.size = 4, .step = 1};
        Recorder recorder(context);
        recorder.dispatch(test::set_groups, {}, {*live, groups}, {tile.size}, {}, Groups(1));
        recorder.dispatch(test::mix, {}, {*x, *y}, {count, 1}, tile, Groups::from(groups));
        const auto list = recorder.finish();
        std::vector<uint32_t> expected(count, 0);
        for (const uint32_t n : {0u, 4u, 36u, 100u, 8u}) {
            *static_cast<uint32_t*>(live->mapped()) = n;
            context->wait(context->submit(*list));
            for (uint32_t i = 0; i < n; ++i) ++expected[i];
            CHECK(test::words_of(*context, *y) == expected);
        }
    });
}

TEST_CASE("dispatches are skipped where a word that was written just before is 0, if the device can") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        const auto one = test::words(*context, {1}), copy = test::words(*context, {0}),
                   sum = test::words(*context, {0}), word = test::words(*context, {7});
        const auto submit_after = [&](uint32_t value, const CommandList& list) {
            Recorder recorder(context);
            recorder.fill(*word, value);
            const auto fill = recorder.finish();
            const CommandList* both[] = {fill.get(), &list};
            context->wait(context->submit(both));
            return test::words_of(*context, *sum)[0];
        };
        Recorder recorder(context);
        recorder.dispatch_only_if(*word);
        test::record_mix(recorder, *one, *sum, 1);
        recorder.copy(*one, *copy);  // not a dispatch
        test::record_mix(recorder, *one, *word, 0);
        const auto list = recorder.finish();
        const uint32_t skipped = submit_after(0, *list);
        CHECK(skipped <= 1);
        CHECK(test::words_of(*context, *copy)[0] == 1);
        CHECK(test::words_of(*context, *word)[0] == skipped);
        CHECK(submit_after(3, *list) == skipped + 1);
        if (context->impl().device.physical().conditional_rendering) CHECK(skipped == 0);
        else MESSAGE("skipped: ", context->caps().name, " has no VK_EXT_conditional_rendering");
    });
}

TEST_CASE("a list keeps its buffers alive") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        const uint32_t count = 10'000;
        const auto y = test::words(*context, std::vector<uint32_t>(count, 0));
        std::unique_ptr<CommandList> list;
        {
            const auto x = test::words(*context, std::vector<uint32_t>(count, 3));
            Recorder recorder(context);
            test::record_mix(recorder, *x, *y, 10);
            list = recorder.finish();
        }
        context->wait_idle();
        CHECK(context->stats().memory_bytes == 2 * 4 * count);
        const auto other = test::words(*context, std::vector<uint32_t>(count, 5));  // would take the place of x
        context->submit(*list, 3);
        CHECK(test::words_of(*context, *y) == std::vector<uint32_t>(count, 333));
        list.reset();
        context->wait_idle();
        CHECK(context->stats().memory_bytes == 2 * 4 * count);
    });
}

TEST_CASE("statistics count submissions, waits and replayed dispatches") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        const auto x = test::words(*context, {1});
        const auto y = test::words(*context, {0});
        Recorder recorder(context);
        test::record_mix(recorder, *x, *y, 1);
        test::record_mix(recorder, *x, *y, 1);
        const auto list = recorder.finish();
        context->wait_idle();
        context->reset_stats();
        const uint64_t first = context->submit(*list, 10);
        const uint64_t second = context->submit(*list);
        CHECK(second > first);
        context->wait(second);
        context->wait(first);  // finished: not a wait
        CHECK(context->finished(first));
        CHECK(context->stats().submissions == 2);
        CHECK(context->stats().dispatches == 22);
        CHECK(context->stats().host_waits <= 1);
        CHECK(test::words_of(*context, *y) == std::vector<uint32_t>{22});
    });
}

TEST_CASE("variants run where the device can, and are refused by name where it cannot") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        CHECK(context->can_run(spv::twice, DType::f32));
        CHECK_FALSE(context->can_run(spv::twice, DType::i8));
        CHECK(context->can_run(spv::twice, DType::f16) == context->caps().f16);
        const auto x = test::words(*context, {0x3c003c00, 0x40003800});  // 1, 1, 0.5, 2 in f16
        const auto y = test::words(*context, {0, 0});
        if (!context->caps().f16) {
            try {
                Recorder(context).dispatch(test::twice, DType::f16, {*x, *y}, {4}, {}, Groups(1));
                FAIL("nothing was thrown");
            } catch (const Error& error) {
                CHECK(error.status() == Status::unsupported);
                CHECK(std::string(error.what()).find("twice(float16)") != std::string::npos);
            }
            return;
        }
        Recorder recorder(context);
        recorder.dispatch(test::twice, DType::f16, {*x, *y}, {4}, {}, Groups(1));
        context->submit(*recorder.finish());
        CHECK(test::words_of(*context, *y) == std::vector<uint32_t>{0x40004000, 0x44003c00});
    });
}

TEST_CASE("mistakes while recording are caught before the device sees them") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        const auto x = test::words(*context, std::vector<uint32_t>(128, 1));
        const auto other = Context::create({.device = std::to_string(context->caps().index)});
        const auto foreign = test::words(*other, {1});
        Recorder recorder(context);
        CHECK_THROWS_AS(test::record_mix(recorder, {}, *x, 1), Error);
        CHECK_THROWS_AS(test::record_mix(recorder, {*x, 4, 0}, *x, 1), Error);
        CHECK_THROWS_AS(test::record_mix(recorder, {*x, 0, 516}, *x, 1), Error);
        CHECK_THROWS_AS(test::record_mix(recorder, {*x, 1, 4}, *x, 1), Error);
        CHECK_THROWS_AS(test::record_mix(recorder, *foreign, *x, 1), Error);
        CHECK_THROWS_AS(recorder.copy({*x, 0, 8}, {*x, 8, 4}), Error);
        CHECK_THROWS_AS(recorder.dispatch(test::twice, DType::bf16, {*x, *x}, {1}, {}, Groups(1)), Error);
        recorder.finish();
        CHECK_THROWS_AS(recorder.fill(*x, 0), Error);
    });
}

}  // namespace recorder_test
