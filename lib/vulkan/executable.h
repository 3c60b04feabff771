// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vulkan/device.h"
#include "vulkan/pipeline_figures.h"

namespace dragoman::vulkan {

// What a driver says of a pipeline that was made with VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR.
struct Executable {
    uint32_t subgroup_size = 0;
    std::vector<PipelineStatistic> statistics;
};

// Only where the device has VK_KHR_pipeline_executable_properties.
Executable read_executable(const Device& device, VkPipeline pipeline);

}  // namespace dragoman::vulkan
