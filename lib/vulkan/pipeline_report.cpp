// SPDX-License-Identifier: Apache-2.0
#include "vulkan/pipeline_report.h"

#include <chrono>

#include "base/environment.h"
#include "vulkan/context_impl.h"
#include "vulkan/device_choice.h"
#include "vulkan/pipelines.h"
#include "vulkan/result.h"

namespace dragoman::vulkan {
namespace {

Device open_device(std::string request) {
    if (request.empty()) request = environment("DRAGOMAN_DEVICE");
    const auto instance = Instance::shared(environment_flag("DRAGOMAN_VALIDATION"));
    auto devices = instance ? physical_devices(*instance) : std::vector<PhysicalDevice>();
    for (PhysicalDevice& device : devices)
        if (device.caps.device_memory_bytes == 0) device.refusal.clear();  // enough to compile
    return Device(instance, choose_device(devices, request), false);
}

double value_of(const VkPipelineExecutableStatisticKHR& statistic) {
    switch (statistic.format) {
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR: return statistic.value.b32;
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR: return static_cast<double>(statistic.value.i64);
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR: return static_cast<double>(statistic.value.u64);
        default: return statistic.value.f64;
    }
}

}  // namespace

std::vector<CompiledPipeline> compiled_pipelines(const Context& context) {
    std::vector<CompiledPipeline> list;
    for (Pipelines::Key& key : context.impl().pipelines.compiled())
        list.push_back({key.shader, key.variant->key, std::move(key.constants)});
    return list;
}

struct PipelineReporter::Impl {
    explicit Impl(const std::string& request)
        : device(open_device(request)), cache(device, "-"), pipelines(device, cache, true) {}

    Device device;
    PipelineCache cache;
    Pipelines pipelines;
};

PipelineReporter::PipelineReporter(const std::string& device) : impl_(std::make_unique<Impl>(device)) {}
PipelineReporter::~PipelineReporter() = default;

const Caps& PipelineReporter::caps() const { return impl_->device.caps(); }

PipelineFacts PipelineReporter::compile(const Shader& shader, VariantKey key,
                                        std::span<const uint32_t> spec_constants) {
    const Device& device = impl_->device;
    PipelineFacts facts;
    const auto start = std::chrono::steady_clock::now();
    const Pipeline& pipeline = impl_->pipelines.get(shader, key, spec_constants);
    facts.compile_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (!device.physical().executable_properties) return facts;

    VkPipelineInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR};
    info.pipeline = pipeline.handle;
    uint32_t count = 1;
    VkPipelineExecutablePropertiesKHR properties{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
    vk_check(device->vkGetPipelineExecutablePropertiesKHR(device.handle(), &info, &count, &properties),
             "vkGetPipelineExecutablePropertiesKHR");
    if (count == 0) return facts;
    facts.subgroup_size = properties.subgroupSize;

    VkPipelineExecutableInfoKHR executable{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR};
    executable.pipeline = pipeline.handle;
    count = 0;
    vk_check(device->vkGetPipelineExecutableStatisticsKHR(device.handle(), &executable, &count, nullptr),
             "vkGetPipelineExecutableStatisticsKHR");
    std::vector<VkPipelineExecutableStatisticKHR> statistics(
        count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR});
    vk_check(device->vkGetPipelineExecutableStatisticsKHR(device.handle(), &executable, &count, statistics.data()),
             "vkGetPipelineExecutableStatisticsKHR");
    for (const VkPipelineExecutableStatisticKHR& statistic : statistics)
        facts.statistics.push_back({statistic.name, value_of(statistic)});
    return facts;
}

}  // namespace dragoman::vulkan
