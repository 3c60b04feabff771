// SPDX-License-Identifier: Apache-2.0
#include "vulkan/subgroup_sizes.h"

#include <algorithm>
#include <map>

#include "base/error.h"

namespace dragoman::vulkan {
namespace {

constexpr uint32_t kAmd = 0x1002, kIntel = 0x8086;

}  // namespace

SubgroupSize subgroup_size(const SubgroupFacts& facts) {
    const SubgroupSize unsure{.size = std::max(facts.named, 1u), .required = false, .sure = false};
    if (facts.driver == VK_DRIVER_ID_MOLTENVK && facts.vendor_id == kAmd) return unsure;
    if (facts.least == 0) return unsure;
    if (facts.least == facts.most) return {.size = facts.least, .required = false, .sure = true};
    if (!facts.required) return unsure;
    // Wider subgroups leave each invocation too few registers on Intel GPUs before Xe2, whose least size is 16.
    const uint32_t wanted = facts.vendor_id == kIntel ? facts.least : facts.named;
    return {.size = std::clamp(wanted, facts.least, facts.most), .required = true, .sure = true};
}

SubgroupSize cooperative_subgroup_size(const SubgroupFacts& facts, const CooperativeFacts& cooperative) {
    // Xe2's least size; on older GPUs llama.cpp found cooperative matrices slow or wrong (its issue 24005)
    constexpr uint32_t kXe2 = 16;
    const bool amds_own = facts.driver == VK_DRIVER_ID_AMD_PROPRIETARY || facts.driver == VK_DRIVER_ID_AMD_OPEN_SOURCE;
    if (!(cooperative.stages & VK_SHADER_STAGE_COMPUTE_BIT) || !facts.full || facts.least == 0) return {0};
    if (facts.vendor_id == kIntel && facts.least < kXe2) return {0};
    // AMD's driver offers them without hardware support (llama.cpp's pull request 10597); RDNA3 was the first to have
    // both.
    if (amds_own && !cooperative.mixed_dot) return {0};
    if (facts.least == facts.most) return {.size = facts.least, .required = false, .sure = true};
    if (!facts.required) return {0};
    return {.size = facts.least, .required = true, .sure = true};
}

uint32_t most_invocations(uint32_t invocations, uint32_t size_x, uint32_t subgroups,
                          std::initializer_list<SubgroupSize> sizes) {
    uint64_t most = std::min(invocations, size_x);
    for (const SubgroupSize& size : sizes)
        if (size.required && subgroups > 0) most = std::min(most, uint64_t(size.size) * subgroups);
    return uint32_t(most);
}

// "SPIR-V Specification", section 3.
uint32_t local_size_x(std::span<const uint32_t> code, std::span<const uint32_t> constants) {
    constexpr uint32_t kExecutionMode = 16, kConstant = 43, kConstantComposite = 44, kSpecConstant = 50,
                       kSpecConstantComposite = 51, kDecorate = 71, kLocalSize = 17, kSpecId = 1, kBuiltIn = 11,
                       kWorkgroupSize = 25, kHeader = 5;
    std::map<uint32_t, uint32_t> spec_ids, values, first_parts;
    uint32_t literal = 1, composite = 0;
    for (std::size_t at = kHeader; at < code.size(); at += code[at] >> 16) {
        const uint32_t op = code[at] & 0xffff;
        DRAGOMAN_ASSERT(code[at] >> 16 > 0);
        if (op == kExecutionMode && code[at + 2] == kLocalSize) literal = code[at + 3];
        if (op == kDecorate && code[at + 2] == kSpecId) spec_ids[code[at + 1]] = code[at + 3];
        if (op == kDecorate && code[at + 2] == kBuiltIn && code[at + 3] == kWorkgroupSize) composite = code[at + 1];
        if (op == kConstant || op == kSpecConstant) values[code[at + 2]] = code[at + 3];
        if (op == kConstantComposite || op == kSpecConstantComposite) first_parts[code[at + 2]] = code[at + 3];
    }
    if (composite == 0) return literal;
    const uint32_t x = first_parts[composite];
    const auto spec = spec_ids.find(x);
    return spec != spec_ids.end() && spec->second < constants.size() ? constants[spec->second] : values[x];
}

}  // namespace dragoman::vulkan
