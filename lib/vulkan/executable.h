// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vulkan/device.h"
#include "vulkan/pipeline_figures.h"

namespace dragoman::vulkan {

// What a driver reports about a pipeline made with VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR.
struct Executable {
    uint32_t subgroup_size = 0;
    std::vector<PipelineStatistic> statistics;
};

// Requires a device with VK_KHR_pipeline_executable_properties.
Executable read_executable(const Device& device, VkPipeline pipeline);

}  // namespace dragoman::vulkan
