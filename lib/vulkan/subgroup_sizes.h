// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

#include "vulkan/api.h"
#include "vulkan/shader.h"

namespace dragoman::vulkan {

// What a driver reports about subgroups in compute shaders.
struct SubgroupFacts {
    VkDriverId driver{};
    uint32_t vendor_id = 0;
    uint32_t named = 1;           // subgroupSize
    uint32_t least = 0, most = 0;  // 0: not reported
    bool full = false;            // pipelines can require full subgroups
    bool required = false;        // pipelines can require a size
    uint32_t most_subgroups = 0;  // of a workgroup whose pipeline requires one; 0: not reported
};

// The size of subgroups in pipelines that depend on it, and whether it must be required. A size that is neither the
// only one nor required may be smaller than the reported one: Intel's drivers report 32 and run 8, Metal runs 32 where
// MoltenVK reports 64.
struct SubgroupSize {
    uint32_t size = 1;
    bool required = false;
    bool sure = false;
    bool operator==(const SubgroupSize&) const = default;
};
SubgroupSize subgroup_size(const SubgroupFacts& facts);

// Kernels for cooperative matrices depend on the number of subgroups too. AMD's and Intel's hardware multiplies
// matrices in its narrow subgroups. 0: none are used.
struct CooperativeFacts {
    VkShaderStageFlags stages = 0;  // cooperativeMatrixSupportedStages
    bool mixed_dot = false;         // products of signed and unsigned bytes are instructions
};
SubgroupSize cooperative_subgroup_size(const SubgroupFacts& facts, const CooperativeFacts& cooperative);

// The most invocations of a workgroup: a pipeline that requires a subgroup size may have so many subgroups of it, and no
// more. `invocations`, `size_x`: maxComputeWorkGroupInvocations and maxComputeWorkGroupSize[0]; `subgroups`:
// maxComputeWorkgroupSubgroups, 0: not reported.
uint32_t most_invocations(uint32_t invocations, uint32_t size_x, uint32_t subgroups,
                          std::initializer_list<SubgroupSize> sizes);

// The workgroup's invocations in x, from the module and its constants.
uint32_t local_size_x(std::span<const uint32_t> code, std::span<const uint32_t> constants);

}  // namespace dragoman::vulkan
