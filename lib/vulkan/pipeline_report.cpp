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

// Of a pipeline compiled with statistics captured.
PipelineFacts read_facts(const Device& device, VkPipeline pipeline) {
    PipelineFacts facts;
    if (!device.physical().executable_properties) return facts;

    VkPipelineInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR};
    info.pipeline = pipeline;
    uint32_t count = 1;
    VkPipelineExecutablePropertiesKHR properties{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
    vk_check(device->vkGetPipelineExecutablePropertiesKHR(device.handle(), &info, &count, &properties),
             "vkGetPipelineExecutablePropertiesKHR");
    if (count == 0) return facts;
    facts.subgroup_size = properties.subgroupSize;

    VkPipelineExecutableInfoKHR executable{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR};
    executable.pipeline = pipeline;
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

}  // namespace

void watch_dispatches(Context& context, std::function<void(const KernelUse&)> listener) {
    context.impl().pipelines.capture_statistics();
    context.impl().on_dispatch = std::move(listener);
}

PipelineFacts pipeline_facts(Context& context, const KernelUse& use) {
    Context::Impl& impl = context.impl();
    return read_facts(impl.device, impl.pipelines.get(*use.shader, use.key, use.constants).handle);
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
    const auto start = std::chrono::steady_clock::now();
    const Pipeline& pipeline = impl_->pipelines.get(shader, key, spec_constants);
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    PipelineFacts facts = read_facts(impl_->device, pipeline.handle);
    facts.compile_ms = ms;
    return facts;
}

}  // namespace dragoman::vulkan
