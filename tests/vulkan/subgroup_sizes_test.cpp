// SPDX-License-Identifier: Apache-2.0
#include "vulkan/subgroup_sizes.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "support/device.h"
#include "test_kernels.h"
#include "vulkan/shader_code.h"

namespace subgroup_sizes_test {

using namespace dragoman::vulkan;

namespace {

constexpr uint32_t kAmd = 0x1002, kIntel = 0x8086, kNvidia = 0x10de, kArm = 0x13b5;

// The facts that drivers report.
constexpr SubgroupFacts kNvk{VK_DRIVER_ID_MESA_NVK, kNvidia, 32, 32, 32, true, false};
constexpr SubgroupFacts kNvidiasOwn{VK_DRIVER_ID_NVIDIA_PROPRIETARY, kNvidia, 32, 32, 32, true, true};
constexpr SubgroupFacts kRadv{VK_DRIVER_ID_MESA_RADV, kAmd, 64, 32, 64, true, true};
constexpr SubgroupFacts kAmdsOwn{VK_DRIVER_ID_AMD_PROPRIETARY, kAmd, 64, 32, 64, true, true};
constexpr SubgroupFacts kDg2{VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA, kIntel, 32, 8, 32, true, true};
constexpr SubgroupFacts kXe2{VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA, kIntel, 32, 16, 32, true, true};
constexpr SubgroupFacts kOldIntel{VK_DRIVER_ID_INTEL_PROPRIETARY_WINDOWS, kIntel, 32};
constexpr SubgroupFacts kMali{VK_DRIVER_ID_ARM_PROPRIETARY, kArm, 16, 16, 16, true, false};
constexpr SubgroupFacts kMetalOnAmd{VK_DRIVER_ID_MOLTENVK, kAmd, 64, 64, 64, false, false};
constexpr CooperativeFacts kCompute{VK_SHADER_STAGE_COMPUTE_BIT, true};

}  // namespace

TEST_CASE("a subgroup's size is the only one, asked for, or not counted on") {
    CHECK(subgroup_size(kNvk) == SubgroupSize{32, false, true});
    CHECK(subgroup_size(kNvidiasOwn) == SubgroupSize{32, false, true});
    CHECK(subgroup_size(kRadv) == SubgroupSize{64, true, true});
    CHECK(subgroup_size(kDg2) == SubgroupSize{8, true, true});
    CHECK(subgroup_size(kXe2) == SubgroupSize{16, true, true});
    CHECK(subgroup_size(kMali) == SubgroupSize{16, false, true});
    CHECK(subgroup_size(kOldIntel) == SubgroupSize{32, false, false});
    CHECK(subgroup_size(kMetalOnAmd) == SubgroupSize{64, false, false});
    SubgroupFacts narrow = kRadv;
    narrow.most = 32;  // less than what is named
    CHECK(subgroup_size(narrow) == SubgroupSize{32, false, true});
    narrow = kRadv;
    narrow.required = false;
    CHECK(!subgroup_size(narrow).sure);
}

TEST_CASE("cooperative matrices need their stage, full subgroups of a sure size, and hardware") {
    CHECK(cooperative_subgroup_size(kNvk, kCompute) == SubgroupSize{32, false, true});
    CHECK(cooperative_subgroup_size(kNvidiasOwn, kCompute).size == 32);
    CHECK(cooperative_subgroup_size(kRadv, kCompute) == SubgroupSize{32, true, true});
    CHECK(cooperative_subgroup_size(kXe2, kCompute) == SubgroupSize{16, true, true});
    CHECK(cooperative_subgroup_size(kDg2, kCompute).size == 0);
    CHECK(cooperative_subgroup_size(kNvk, {VK_SHADER_STAGE_FRAGMENT_BIT, true}).size == 0);
    CHECK(cooperative_subgroup_size(kNvk, {}).size == 0);
    CHECK(cooperative_subgroup_size(kAmdsOwn, kCompute).size == 32);
    CHECK(cooperative_subgroup_size(kAmdsOwn, {VK_SHADER_STAGE_COMPUTE_BIT, false}).size == 0);
    SubgroupFacts partial = kNvk;
    partial.full = false;
    CHECK(cooperative_subgroup_size(partial, kCompute).size == 0);
}

TEST_CASE("a workgroup has no more invocations than its subgroups of a required size") {
    constexpr SubgroupSize kAny{32, false, true}, kEight{8, true, true}, kSixteen{16, true, true}, kNone{0};
    CHECK(most_invocations(1024, 1024, 64, {kAny, kNone}) == 1024);
    CHECK(most_invocations(1024, 256, 64, {kAny, kNone}) == 256);
    CHECK(most_invocations(128, 1024, 64, {kAny, kNone}) == 128);
    CHECK(most_invocations(1024, 1024, 36, {kEight, kNone}) == 288);
    CHECK(most_invocations(1024, 1024, 36, {kAny, kSixteen}) == 576);
    CHECK(most_invocations(1024, 1024, 0, {kEight, kNone}) == 1024);
    CHECK(most_invocations(1024, 1024, ~0u, {kSixteen, kSixteen}) == 1024);
}

TEST_CASE("a kernel whose workgroup is too large is refused with both sizes") {
    dragoman::test::for_every_device([](const std::shared_ptr<Context>& context) {
        const uint32_t most = context->caps().max_workgroup_invocations;
        const std::vector<uint32_t> constants{2 * most, 1};
        const KernelUse use{dragoman::test::mix.shader, {}, constants};
        try {
            context->compile(use);
            FAIL("nothing was thrown");
        } catch (const dragoman::Error& error) {
            CHECK(error.status() == dragoman::Status::unsupported);
            const std::string message = error.what();
            for (const std::string& part : {std::string("mix"), std::to_string(most), std::to_string(2 * most)})
                CHECK_MESSAGE(message.find(part) != std::string::npos, message);
        }
    });
}

TEST_CASE("the size of a workgroup is read from the module") {
    const auto size = [](const Shader& shader, std::vector<uint32_t> constants) {
        return local_size_x(spirv(shader.variants[0].code), constants);
    };
    CHECK(size(*dragoman::test::mix.shader, {48, 1}) == 48);
    CHECK(size(*dragoman::test::twice.shader, {}) == 32);
    CHECK(size(*dragoman::test::set_groups.shader, {}) == 1);
}

TEST_CASE("devices that tests run on have sure subgroups") {
    dragoman::test::for_every_device([](const std::shared_ptr<Context>& context) {
        CHECK(context->caps().subgroup_size_sure);
        CHECK(context->caps().subgroup_size > 1);
    });
}

}  // namespace subgroup_sizes_test
