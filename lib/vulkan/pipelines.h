// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
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

inline VkDescriptorType descriptor_type(const Shader& shader, uint32_t binding) {
    return shader.texels >> binding & 1 ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

struct Layout {
    VkDescriptorSetLayout set = VK_NULL_HANDLE;  // bindings 0 .. buffers-1, each a storage or a texel buffer
    VkPipelineLayout pipeline = VK_NULL_HANDLE;
};

struct Pipeline {
    VkPipeline handle = VK_NULL_HANDLE;
    Layout layout;
    uint32_t spilled = 0;  // in registers and bytes, where statistics are captured and the driver has them
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

    struct Key {
        const Shader* shader;
        const ShaderVariant* variant;
        std::vector<uint32_t> constants;
        auto operator<=>(const Key&) const = default;
    };
    // Captures statistics from now on; call it before any other thread uses this object.
    void capture_statistics() { capture_statistics_ = true; }

private:
    struct Entry {
        std::mutex mutex;  // not std::call_once, which may hang in the call after one that threw
        std::atomic<bool> ready = false;
        Pipeline pipeline;
    };

    Layout layout(const Shader& shader);
    Pipeline compile(const Key& key);

    const Device& device_;
    const PipelineCache& cache_;
    bool capture_statistics_;
    std::mutex mutex_;
    std::map<Key, std::unique_ptr<Entry>> pipelines_;
    std::map<std::array<uint32_t, 3>, Layout> layouts_;  // by buffers, texels and push_bytes
};

}  // namespace dragoman::vulkan
