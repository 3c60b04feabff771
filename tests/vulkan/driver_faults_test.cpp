// SPDX-License-Identifier: Apache-2.0
#include "vulkan/driver_faults.h"

#include <doctest/doctest.h>

#include "vulkan/shader.h"

namespace driver_faults_test {

using namespace dragoman::vulkan;

namespace {
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
}  // namespace

TEST_CASE("MoltenVK that ignores array sizes is refused with both versions") {
    const auto refusal = [](VkDriverId driver, uint32_t version) { return driver_refusal(driver, version, 31); };
    const std::string old = refusal(VK_DRIVER_ID_MOLTENVK, 10211);
    CHECK(contains(old, "1.3.0"));
    CHECK(contains(old, "1.2.11"));
    CHECK(contains(refusal(VK_DRIVER_ID_MOLTENVK, 10299), "1.2.99"));
    CHECK(refusal(VK_DRIVER_ID_MOLTENVK, 10300).empty());
    CHECK(refusal(VK_DRIVER_ID_MOLTENVK, 10402).empty());
    CHECK(refusal(VK_DRIVER_ID_MESA_LLVMPIPE, 1).empty());  // the others number themselves in other ways
}

TEST_CASE("workgroups of one dispatch read what others have written, but not on Metal") {
    CHECK(!orders_workgroups(VK_DRIVER_ID_MOLTENVK));
    CHECK(orders_workgroups(VK_DRIVER_ID_MESA_LLVMPIPE));
    CHECK(orders_workgroups(VK_DRIVER_ID_NVIDIA_PROPRIETARY));
}

TEST_CASE("a device with too few storage buffers for one shader is refused with both numbers") {
    const std::string few = driver_refusal(VK_DRIVER_ID_MESA_V3DV, 0, 8);
    CHECK(contains(few, "11"));
    CHECK(contains(few, "8"));
    CHECK(!driver_refusal(VK_DRIVER_ID_MESA_V3DV, 0, kStorageBuffersNeeded - 1).empty());
    CHECK(driver_refusal(VK_DRIVER_ID_MESA_V3DV, 0, kStorageBuffersNeeded).empty());
}

TEST_CASE("lavapipe on Arm has no 16-bit arithmetic before LLVM 19") {
    const auto lavapipe = [](std::string_view name, bool arm) {
        return compiles_halves(VK_DRIVER_ID_MESA_LLVMPIPE, name, arm);
    };
    CHECK(!lavapipe("llvmpipe (LLVM 15.0.6, 128 bits)", true));
    CHECK(!lavapipe("llvmpipe (LLVM 18.1.8, 128 bits)", true));
    CHECK(lavapipe("llvmpipe (LLVM 19.1.7, 128 bits)", true));
    CHECK(lavapipe("llvmpipe (LLVM 15.0.6, 256 bits)", false));
    CHECK(lavapipe("llvmpipe", true));
    CHECK(compiles_halves(VK_DRIVER_ID_ARM_PROPRIETARY, "LLVM 15", true));
}

}  // namespace driver_faults_test
