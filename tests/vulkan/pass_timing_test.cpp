// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdio>
#include <map>

#include "support/device.h"
#include "test_kernels.h"

namespace pass_timing_test {

using namespace dragoman;
using namespace dragoman::vulkan;

TEST_CASE("passes are timed per name over all replays, nested ones too") {
    test::for_every_device(
        [](const std::shared_ptr<Context>& context) {
            if (!context->caps().timestamps) {
                std::printf("skipped: %s has no timestamps\n", context->caps().name.c_str());
                return;
            }
            const uint32_t count = 20'000;
            const auto x = test::words(*context, std::vector<uint32_t>(count, 1));
            const auto y = test::words(*context, std::vector<uint32_t>(count, 0));
            Recorder recorder(context);
            {
                const Recorder::Pass outer(recorder, "outer");
                for (int i = 0; i < 150; ++i) {  // more timestamps than one query pool holds
                    const Recorder::Pass inner(recorder, "inner");
                    test::record_mix(recorder, *x, *y, 1);
                }
            }
            const auto list = recorder.finish();
            context->submit(*list, 3);
            context->submit(*list);
            std::map<std::string, PassTime> times;
            for (const PassTime& time : context->pass_times()) times[time.name] = time;
            REQUIRE(times.size() == 2);
            CHECK(times["outer"].count == 4);
            CHECK(times["inner"].count == 600);
            CHECK(times["inner"].total_ns > 0);
            CHECK(times["outer"].total_ns >= times["inner"].total_ns * 0.999);
            CHECK(test::words_of(*context, *y) == std::vector<uint32_t>(count, 600));
            context->reset_pass_times();
            CHECK(context->pass_times().empty());
        },
        {.profiling = true});
}

TEST_CASE("work is counted at every run, from what the device holds then") {
    test::for_every_device(
        [](const std::shared_ptr<Context>& context) {
            if (!context->caps().timestamps) return;
            const auto x = test::words(*context, {5, 0, 0, 0}), y = test::words(*context, {0, 0, 0, 0});
            Recorder recorder(context);
            const auto count = [&] {
                recorder.count([&](const ReadWords& words) -> Work {
                    return {.flops = 2.0 * words(*x)[0], .bytes = 8.0};
                });
            };
            count();  // outside of every pass: belongs to none
            {
                const Recorder::Pass outer(recorder, "outer");
                {
                    const Recorder::Pass inner(recorder, "inner");
                    count();
                    count();
                    test::record_mix(recorder, *x, *y, 1);
                }
                recorder.fill(*x, 7);
            }
            const auto list = recorder.finish();
            context->submit(*list);
            context->submit(*list, 2);
            std::map<std::string, PassTime> times;
            for (const PassTime& time : context->pass_times()) times[time.name] = time;
            CHECK(times["inner"].work.flops == 2 * 2 * (5 + 7 + 7));
            CHECK(times["inner"].work.bytes == 3 * 2 * 8);
            CHECK(times["outer"].work.flops == times["inner"].work.flops);
            CHECK(times["inner"].dispatches == 3);
            CHECK(times["outer"].dispatches == 3);
        },
        {.profiling = true});
}

TEST_CASE("without profiling nothing is timed") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        const auto x = test::words(*context, {1});
        Recorder recorder(context);
        {
            const Recorder::Pass pass(recorder, "pass");
            recorder.fill(*x, 2);
            recorder.count([](const ReadWords&) -> Work {
                FAIL("counted");
                return {};
            });
        }
        context->submit(*recorder.finish());
        CHECK(context->pass_times().empty());
    });
}

TEST_CASE("dispatches are timed by kernel, with their groups and what was counted before them") {
    test::for_every_device(
        [](const std::shared_ptr<Context>& context) {
            if (!context->caps().timestamps) return;
            const auto x = test::words(*context, std::vector<uint32_t>(100, 1)),
                       y = test::words(*context, std::vector<uint32_t>(100, 0)),
                       other = test::words(*context, std::vector<uint32_t>(100, 0)),
                       arguments = test::words(*context, {3, 2, 1}, BufferUse::arguments);
            const test::MixTile small{.size = 32}, large{.size = 64};
            Recorder recorder(context);
            const auto mix = [&](const BufferView& to, const test::MixTile& tile, double flops, const Groups& groups) {
                recorder.count([flops](const ReadWords&) -> Work { return {.flops = flops}; });
                recorder.dispatch(test::mix, {}, {*x, to}, {100, 1}, tile, groups);
            };
            {
                const Recorder::Pass pass(recorder, "pass");
                mix(*y, small, 1, test::groups_for(100, small));
                mix(*other, small, 2, test::groups_for(100, small));  // does not wait for the first
                mix(*y, small, 4, test::groups_for(100, small));      // does
                mix(*y, large, 8, Groups::from(*arguments));
            }
            const auto list = recorder.finish();
            context->submit(*list, 2);
            std::map<std::pair<std::string, bool>, PassTime> kernels;
            PassTime pass;
            for (const PassTime& time : context->pass_times()) {
                CHECK(time.name == "pass");
                (time.kernel.empty() ? pass : kernels[{time.kernel, time.waits}]) = time;
            }
            CHECK(pass.dispatches == 8);
            CHECK(pass.work.flops == 2 * 15);
            REQUIRE(kernels.size() == 3);
            double seconds = 0;
            for (const auto& [key, time] : kernels) {
                const bool is_large = time.kernel == "mix 64 1";
                CHECK(time.kernel == (is_large ? "mix 64 1" : "mix 32 1"));
                CHECK(time.count == (key.second ? 2 : 4));
                CHECK(time.dispatches == time.count);
                CHECK(time.groups == double(time.count) * (is_large ? 6 : 4));
                CHECK(time.work.flops == 2 * (is_large ? 8 : key.second ? 4 : 3));
                seconds += time.total_ns;
            }
            CHECK(seconds > 0);
            CHECK(seconds <= pass.total_ns * 1.001);
        },
        {.profiling = true, .dispatch_times = true});
}

}  // namespace pass_timing_test
