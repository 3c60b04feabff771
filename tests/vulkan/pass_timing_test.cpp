// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdio>
#include <map>

#include "support/device.h"
#include "test_kernels.h"

using namespace dragoman;
using namespace dragoman::vulkan;

TEST_CASE("passes are timed per name over all replays, nested ones too") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
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
    }, {.profiling = true});
}

TEST_CASE("without profiling nothing is timed") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        const auto x = test::words(*context, {1});
        Recorder recorder(context);
        {
            const Recorder::Pass pass(recorder, "pass");
            recorder.fill(*x, 2);
        }
        context->submit(*recorder.finish());
        CHECK(context->pass_times().empty());
    });
}
