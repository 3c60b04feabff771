// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "vulkan/device.h"
#include "vulkan/pipeline_cache.h"
#include "vulkan/shader.h"

namespace dragoman::vulkan {

// Null where the shader has no such variant.
const ShaderVariant* find_variant(const Shader& shader, VariantKey key);

struct Layout {
    VkDescriptorSetLayout set = VK_NULL_HANDLE;  // storage buffers 0..buffers-1
    VkPipelineLayout pipeline = VK_NULL_HANDLE;
};

struct Pipeline {
    VkPipeline handle = VK_NULL_HANDLE;
    Layout layout;
};

// Compiled pipelines, kept until the context goes. Safe from any thread; different ones compile in parallel.
class Pipelines {
public:
    // `capture_statistics`: ask the driver to keep what VK_KHR_pipeline_executable_properties reports.
    Pipelines(const Device& device, const PipelineCache& cache, bool capture_statistics);
    ~Pipelines();
    Pipelines(const Pipelines&) = delete;

    // Throws unsupported naming the shader and what the device lacks; asserts that the variant exists and the
    // number of constants is the shader's.
    const Pipeline& get(const Shader& shader, VariantKey key, std::span<const uint32_t> spec_constants);

private:
    struct Key {
        const Shader* shader;
        const ShaderVariant* variant;
        std::vector<uint32_t> constants;
        auto operator<=>(const Key&) const = default;
    };
    struct Entry {
        std::mutex mutex;  // not std::call_once: it may hang in the call after one that threw
        Pipeline pipeline;
    };

    Layout layout(uint32_t buffers, uint32_t push_bytes);
    Pipeline compile(const Key& key);

    const Device& device_;
    const PipelineCache& cache_;
    const bool capture_statistics_;
    std::mutex mutex_;
    std::map<Key, std::unique_ptr<Entry>> pipelines_;
    std::map<std::pair<uint32_t, uint32_t>, Layout> layouts_;
};

}  // namespace dragoman::vulkan
