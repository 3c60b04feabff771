// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "vulkan/device.h"

namespace dragoman::vulkan {

// VkPipelineCache and its file: one per device, driver and build in `folder`.
class PipelineCache {
public:
    // `folder`: "" = DRAGOMAN_CACHE_DIR, otherwise the user's cache folder; "-" = no file. A broken file is ignored.
    PipelineCache(const Device& device, const std::string& folder);
    ~PipelineCache();
    PipelineCache(const PipelineCache&) = delete;

    VkPipelineCache handle() const { return handle_; }
    const std::filesystem::path& path() const { return path_; }  // empty: no file
    void save() const noexcept;  // atomic; a failure is only logged

private:
    const Device& device_;
    std::filesystem::path path_;
    VkPipelineCache handle_ = VK_NULL_HANDLE;
};

}  // namespace dragoman::vulkan
