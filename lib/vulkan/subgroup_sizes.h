// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vulkan/api.h"
#include "vulkan/shader.h"

namespace dragoman::vulkan {

// What a driver says of subgroups in compute shaders.
struct SubgroupFacts {
    VkDriverId driver{};
    uint32_t vendor_id = 0;
    uint32_t named = 1;           // subgroupSize
    uint32_t least = 0, most = 0;  // 0: it does not say
    bool full = false;            // it can be asked to start full ones only
    bool required = false;        // it can be asked for a size
};

// The size that subgroups have in pipelines that count on it, and whether it is to be asked for. A size that is neither
// the only one nor asked for may be smaller than the one that is named: Intel's drivers name 32 and run 8, Metal runs 32
// where MoltenVK names 64.
struct SubgroupSize {
    uint32_t size = 1;
    bool required = false;
    bool sure = false;
    bool operator==(const SubgroupSize&) const = default;
};
SubgroupSize subgroup_size(const SubgroupFacts& facts);

// Kernels for cooperative matrices count on the number of subgroups too. AMD's and Intel's hardware multiplies matrices in
// its narrow subgroups. 0: none are used.
struct CooperativeFacts {
    VkShaderStageFlags stages = 0;  // cooperativeMatrixSupportedStages
    bool mixed_dot = false;         // products of signed and unsigned bytes are instructions
};
SubgroupSize cooperative_subgroup_size(const SubgroupFacts& facts, const CooperativeFacts& cooperative);

// Invocations of a workgroup in x, by the module and its constants.
uint32_t local_size_x(std::span<const uint32_t> code, std::span<const uint32_t> constants);

}  // namespace dragoman::vulkan
