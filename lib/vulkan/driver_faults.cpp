// SPDX-License-Identifier: Apache-2.0
#include "vulkan/driver_faults.h"

#include <fmt/format.h>

#include <charconv>

#include "vulkan/shader.h"

namespace dragoman::vulkan {

std::string driver_refusal(VkDriverId driver, uint32_t version, uint32_t storage_buffers) {
    // Before 1.3.0 (MoltenVK issues 231 and 2423) arrays kept the sizes of the shader's source, whatever the pipeline's
    // constants said: wrong results without an error. Versions are decimal: 1.2.11 is 10211.
    constexpr uint32_t kMoltenVk = 10300;
    const auto dotted = [](uint32_t v) { return fmt::format("{}.{}.{}", v / 10000, v / 100 % 100, v % 100); };
    if (driver == VK_DRIVER_ID_MOLTENVK && version < kMoltenVk)
        return fmt::format("MoltenVK {} or newer is needed, its driver is MoltenVK {}", dotted(kMoltenVk),
                           dotted(version));
    if (storage_buffers < kStorageBuffersNeeded)
        return fmt::format("{} storage buffers in one shader are needed, its driver offers {}", kStorageBuffersNeeded,
                           storage_buffers);
    return {};
}

bool orders_workgroups(VkDriverId driver) { return driver != VK_DRIVER_ID_MOLTENVK; }

bool compiles_halves(VkDriverId driver, std::string_view name, bool arm) {
    // LLVM 15 (Debian 12) says "Cannot select: v4f32 = fp_extend" and ends the process; LLVM 19 (Debian 13) compiles
    // it. Nobody has tried the versions between them.
    constexpr int kLlvm = 19;
    constexpr std::string_view kBefore = "LLVM ";
    const size_t at = name.find(kBefore);
    if (!arm || driver != VK_DRIVER_ID_MESA_LLVMPIPE || at == name.npos) return true;
    const char* number = name.data() + at + kBefore.size();
    int version = 0;
    std::from_chars(number, name.data() + name.size(), version);
    return version >= kLlvm;
}

}  // namespace dragoman::vulkan
