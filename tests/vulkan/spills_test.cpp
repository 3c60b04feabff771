// SPDX-License-Identifier: Apache-2.0
#include "vulkan/spills.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/device.h"
#include "support/temp_dir.h"
#include "test_kernels.h"
#include "vulkan/pipeline_figures.h"

namespace spills_test {

using namespace dragoman;
using namespace dragoman::vulkan;

TEST_CASE("figures have the names of several drivers") {
    const std::vector<PipelineStatistic> intel{{"Instruction Count", 900},
                                               {"Spill Count", 12},
                                               {"Scratch Memory Size", 1024}};
    CHECK(spills(intel) == 12);
    CHECK(scratch(intel) == 1024);
    const std::vector<PipelineStatistic> amd{{"Spilled SGPRs", 1}, {"Spilled VGPRs", 2}, {"VGPRs", 96}};
    CHECK(spills(amd) == 3);
    CHECK(scratch(amd) == 0);
    CHECK(figure(amd, pipeline_columns()[0]) == 96);
    CHECK(!figure(amd, pipeline_columns()[4]));
}

TEST_CASE("what a driver says of spills is remembered; without a word of it nothing spills") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        const uint32_t constants[] = {1, 2}, others[] = {1, 3};
        const KernelUse use{test::mix.shader, {}, std::span(constants, 0)};
        CHECK(context->spills().known(use) == 0);
        context->spills().remember(use, 7);
        CHECK(context->spills().known(use) == 7);
        CHECK(context->spills().of(use) == 7);
        CHECK(context->spills().known({use.shader, use.key, others}) == 0);
    });
}

TEST_CASE("the device's clock measures lists, and a list that does more takes longer") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        const auto a = test::words(*context, std::vector<uint32_t>(100'000, 1));
        const auto b = test::words(*context, std::vector<uint32_t>(100'000, 2));
        Recorder recorder(context);
        for (int i = 0; i < 8; ++i) test::record_mix(recorder, *a, *b, 3);
        const auto list = recorder.finish();
        // A device that others use as well may take any time for one: the shortest of some is compared.
        double one = context->seconds(*list, 1);
        for (int i = 0; i < 20; ++i) one = std::min(one, context->seconds(*list, 1));
        CHECK(one > 0);
        CHECK(context->seconds(*list, 40) > 2 * one);
    });
}

}  // namespace spills_test
