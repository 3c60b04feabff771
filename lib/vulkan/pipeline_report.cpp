// SPDX-License-Identifier: Apache-2.0
#include "vulkan/pipeline_report.h"

#include <chrono>

#include "base/environment.h"
#include "vulkan/context_impl.h"
#include "vulkan/device_choice.h"
#include "vulkan/executable.h"
#include "vulkan/pipelines.h"

namespace dragoman::vulkan {
namespace {

Device open_device(std::string request) {
    if (request.empty()) request = environment("DRAGOMAN_DEVICE");
    const auto instance = Instance::shared(environment_flag("DRAGOMAN_VALIDATION"));
    auto devices = instance ? physical_devices(*instance) : std::vector<PhysicalDevice>();
    for (PhysicalDevice& device : devices)
        if (device.caps.device_memory_bytes == 0) device.refusal.clear();  // a driver that only compiles is enough
    return Device(instance, *choose_devices(devices, request).front(), false);
}

// The facts of a pipeline that was compiled with statistics captured.
PipelineFacts read_facts(const Device& device, VkPipeline pipeline) {
    PipelineFacts facts;
    if (!device.physical().executable_properties) return facts;
    Executable executable = read_executable(device, pipeline);
    facts.subgroup_size = executable.subgroup_size;
    facts.statistics = std::move(executable.statistics);
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
