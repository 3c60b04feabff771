// SPDX-License-Identifier: Apache-2.0
#include "vulkan/executable.h"

#include "vulkan/enumerate.h"
#include "vulkan/result.h"

namespace dragoman::vulkan {
namespace {

double value_of(const VkPipelineExecutableStatisticKHR& statistic) {
    switch (statistic.format) {
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR: return statistic.value.b32;
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR: return static_cast<double>(statistic.value.i64);
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR: return static_cast<double>(statistic.value.u64);
        default: return statistic.value.f64;
    }
}

}  // namespace

Executable read_executable(const Device& device, VkPipeline pipeline) {
    Executable result;
    VkPipelineInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR};
    info.pipeline = pipeline;
    uint32_t count = 1;
    VkPipelineExecutablePropertiesKHR properties{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
    vk_check(device->vkGetPipelineExecutablePropertiesKHR(device.handle(), &info, &count, &properties),
             "vkGetPipelineExecutablePropertiesKHR");
    if (count == 0) return result;
    result.subgroup_size = properties.subgroupSize;

    VkPipelineExecutableInfoKHR executable{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR};
    executable.pipeline = pipeline;
    const auto list = [&](uint32_t* number, VkPipelineExecutableStatisticKHR* statistics) {
        return device->vkGetPipelineExecutableStatisticsKHR(device.handle(), &executable, number, statistics);
    };
    for (const auto& statistic :
         enumerate<VkPipelineExecutableStatisticKHR>("vkGetPipelineExecutableStatisticsKHR", list,
                                                     {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR}))
        result.statistics.push_back({statistic.name, value_of(statistic)});
    return result;
}

}  // namespace dragoman::vulkan
