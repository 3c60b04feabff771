// SPDX-License-Identifier: Apache-2.0
#include "vulkan/pipelines.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/log.h"
#include "vulkan/context.h"
#include "vulkan/executable.h"
#include "vulkan/result.h"
#include "vulkan/shader_code.h"
#include "vulkan/shader_needs.h"
#include "vulkan/check_results.h"

namespace dragoman::vulkan {

namespace {

SubgroupSize subgroup_of(const PhysicalDevice& device, uint32_t needs) {
    if (needs & kNeedsCooperativeMatrix) return device.cooperative_subgroup;
    return needs & (kNeedsSubgroupBasic | kNeedsSubgroupArithmetic | kNeedsSubgroupShuffle) ? device.subgroup
                                                                                            : SubgroupSize{};
}

thread_local uint64_t awaited = 0;

}  // namespace

uint64_t pipelines_awaited() { return awaited; }

Pipelines::Pipelines(const Device& device, const PipelineCache& cache, bool capture_statistics)
    : device_(device), cache_(cache), capture_statistics_(capture_statistics) {}

Pipelines::~Pipelines() {
    for (const auto& [key, entry] : pipelines_)
        device_->vkDestroyPipeline(device_.handle(), entry->pipeline.handle, nullptr);
    for (const auto& [key, layout] : layouts_) {
        device_->vkDestroyPipelineLayout(device_.handle(), layout.pipeline, nullptr);
        device_->vkDestroyDescriptorSetLayout(device_.handle(), layout.set, nullptr);
    }
}

const Pipeline& Pipelines::get(const Shader& shader, VariantKey key, std::span<const uint32_t> spec_constants) {
    const ShaderVariant* variant = find_variant(shader, key);
    DRAGOMAN_ASSERT(variant != nullptr);
    DRAGOMAN_ASSERT(spec_constants.size() == shader.spec_constants);
    const Key wanted{&shader, variant, {spec_constants.begin(), spec_constants.end()}};
    Entry* entry = nullptr;
    {
        const std::lock_guard lock(mutex_);
        std::unique_ptr<Entry>& place = pipelines_[wanted];
        if (!place) place = std::make_unique<Entry>();
        entry = place.get();
    }
    if (entry->ready) return entry->pipeline;
    ++awaited;
    log(LogLevel::debug, "kernel {} was not compiled when it was needed", kernel_name({&shader, key, spec_constants}));
    const std::lock_guard lock(entry->mutex);
    if (!entry->pipeline.handle) entry->pipeline = compile(wanted);
    entry->ready = true;
    return entry->pipeline;
}

Layout Pipelines::layout(const Shader& shader) {
    const std::lock_guard lock(mutex_);
    const uint32_t buffers = shader.buffers, push_bytes = shader.push_bytes;
    Layout& layout = layouts_[{buffers, shader.texels, push_bytes}];
    if (layout.pipeline) return layout;

    std::array<VkDescriptorSetLayoutBinding, kMaxBuffers> bindings{};
    DRAGOMAN_ASSERT(buffers <= kMaxBuffers);
    for (uint32_t i = 0; i < buffers; ++i)
        bindings[i] = {i, descriptor_type(shader, i), 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
    VkDescriptorSetLayoutCreateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    set_info.bindingCount = buffers;
    set_info.pBindings = bindings.data();
    if (!layout.set) {
        VkDescriptorSetLayout set = VK_NULL_HANDLE;  // not known after a failure
        vk_check(device_->vkCreateDescriptorSetLayout(device_.handle(), &set_info, nullptr, &set),
                 "vkCreateDescriptorSetLayout");
        layout.set = set;
    }

    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes};
    VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    info.setLayoutCount = 1;
    info.pSetLayouts = &layout.set;
    info.pushConstantRangeCount = push_bytes ? 1 : 0;
    info.pPushConstantRanges = &range;
    VkPipelineLayout pipeline = VK_NULL_HANDLE;
    vk_check(device_->vkCreatePipelineLayout(device_.handle(), &info, nullptr, &pipeline), "vkCreatePipelineLayout");
    layout.pipeline = pipeline;
    return layout;
}

Pipeline Pipelines::compile(const Key& key) {
    const Shader& shader = *key.shader;
    if (const std::string lacking = lacking_needs(device_.caps(), key.variant->needs); !lacking.empty())
        fail(Status::unsupported, "kernel {} needs {}, which {} lacks", variant_name(shader, key.variant->key), lacking,
             device_.caps().name);
    const auto shared_bytes = key.variant->shared_bytes;
    if (const uint32_t bytes = shared_bytes ? shared_bytes(key.constants.data()) : 0;
        bytes > device_.caps().max_shared_bytes)
        fail(Status::unsupported, "kernel {} needs {} bytes of shared memory, {} has {}",
             variant_name(shader, key.variant->key), bytes, device_.caps().name, device_.caps().max_shared_bytes);

    const std::vector<uint32_t> code = spirv(key.variant->code);
    if (const uint32_t invocations = local_size_x(code, key.constants);
        invocations > device_.caps().max_workgroup_invocations)
        fail(Status::unsupported, "kernel {} needs workgroups of {} invocations, {} has {}",
             variant_name(shader, key.variant->key), invocations, device_.caps().name,
             device_.caps().max_workgroup_invocations);

    VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    module_info.codeSize = code.size() * sizeof(uint32_t);
    module_info.pCode = code.data();
    VkShaderModule module = VK_NULL_HANDLE;
    const Layout shape = layout(shader);
    vk_check(device_->vkCreateShaderModule(device_.handle(), &module_info, nullptr, &module), "vkCreateShaderModule");

    std::array<VkSpecializationMapEntry, kMaxSpecConstants> entries{};
    const auto constants = static_cast<uint32_t>(key.constants.size());
    for (uint32_t i = 0; i < constants; ++i) entries[i] = {i, i * 4, 4};
    const VkSpecializationInfo specialization{constants, entries.data(), constants * 4, key.constants.data()};

    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    const bool captured = capture_statistics_ && device_.physical().executable_properties;
    if (captured) info.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
    info.layout = shape.pipeline;
    info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = "main";
    info.stage.pSpecializationInfo = constants ? &specialization : nullptr;
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required{
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO};
    if (const SubgroupSize subgroup = subgroup_of(device_.physical(), key.variant->needs); subgroup.sure) {
        required.requiredSubgroupSize = subgroup.size;
        if (subgroup.required) info.stage.pNext = &required;
        if (device_.physical().full_subgroups && local_size_x(code, key.constants) % subgroup.size == 0)
            info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    }
    Pipeline pipeline{.layout = shape};
    const std::string name = variant_name(shader, key.variant->key);
    const std::string call = fmt::format("vkCreateComputePipelines for kernel {}", name);
    const VkResult result = device_->vkCreateComputePipelines(device_.handle(), cache_.handle(), 1, &info, nullptr,
                                                              &pipeline.handle);
    device_->vkDestroyShaderModule(device_.handle(), module, nullptr);
    vk_check(result, call.c_str());
    try {
        device_.set_name(VK_OBJECT_TYPE_PIPELINE, pipeline.handle, name);
        log(LogLevel::debug, "pipeline {} was compiled", kernel_name({&shader, key.variant->key, key.constants}));
        if (captured) {
            const std::vector<PipelineStatistic> statistics = read_executable(device_, pipeline.handle).statistics;
            pipeline.spilled = uint32_t(std::min(spills(statistics) + scratch(statistics), 1e9));
        }
    } catch (...) {
        device_->vkDestroyPipeline(device_.handle(), pipeline.handle, nullptr);
        throw;
    }
    return pipeline;
}

}  // namespace dragoman::vulkan
