// SPDX-License-Identifier: Apache-2.0
#include "vulkan/pipeline_cache.h"

#include <cstring>
#include <span>
#include <vector>

#include "base/environment.h"
#include "base/error.h"
#include "base/log.h"
#include "base/os/path_text.h"
#include "files/file_map.h"
#include "vulkan/cache_file.h"
#include "vulkan/result.h"

namespace dragoman::vulkan {
namespace {

namespace fs = std::filesystem;

// The driver checks its own header; ours detects files that a crash or a full disk has cut.
struct FileHeader {
    char magic[8] = {'d', 'r', 'a', 'g', 'o', 'p', 'c', '1'};
    uint64_t size_bytes = 0;
    uint64_t checksum = 0;
};

fs::path cache_folder(const std::string& option) {
    if (option == "-") return {};
    if (!option.empty()) return path_of(option);
    if (const std::string own = environment("DRAGOMAN_CACHE_DIR"); !own.empty())
        return own == "-" ? fs::path() : path_of(own);
    const fs::path users = os::cache_folder();
    return users.empty() ? users : users / "dragoman";
}

std::string file_name(const Device& device) {
    VkPhysicalDeviceProperties properties;
    device.instance()->vkGetPhysicalDeviceProperties(device.physical().handle, &properties);
    uint64_t key = fnv1a(properties.pipelineCacheUUID, sizeof properties.pipelineCacheUUID);
    key = fnv1a(&properties.vendorID, sizeof properties.vendorID, key);
    key = fnv1a(&properties.deviceID, sizeof properties.deviceID, key);
    key = fnv1a(&properties.driverVersion, sizeof properties.driverVersion, key);
    key = fnv1a(device.caps().name.data(), device.caps().name.size(), key);
    return fmt::format("pipelines-{:016x}.bin", key);
}

// The file's content; empty where there is no usable file.
std::vector<std::byte> read_file(const fs::path& path) try {
    if (path.empty() || !fs::exists(path)) return {};
    const FileBytes file = read_whole(path);
    FileHeader header;
    const auto bytes = file.bytes;
    const FileHeader expected;
    if (bytes.size() >= sizeof header) std::memcpy(&header, bytes.data(), sizeof header);
    const auto body = bytes.subspan(std::min(bytes.size(), sizeof header));
    if (body.empty() || std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0 ||
        header.size_bytes != body.size() || header.checksum != fnv1a(body.data(), body.size())) {
        log(LogLevel::debug, "pipeline cache {} is broken and ignored", text_of(path));
        return {};
    }
    return {body.begin(), body.end()};
} catch (const std::exception& error) {
    log(LogLevel::debug, "pipeline cache {} is ignored: {}", text_of(path), error.what());
    return {};
}

}  // namespace

PipelineCache::PipelineCache(const Device& device, const std::string& folder) : device_(device) {
    if (const fs::path base = cache_folder(folder); !base.empty()) path_ = base / file_name(device);
    const std::vector<std::byte> data = read_file(path_);
    VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    info.initialDataSize = data.size();
    info.pInitialData = data.empty() ? nullptr : data.data();
    if (!data.empty()) log(LogLevel::debug, "pipeline cache {}: {} bytes", text_of(path_), data.size());
    VkPipelineCache created = VK_NULL_HANDLE;
    VkResult result = device_->vkCreatePipelineCache(device_.handle(), &info, nullptr, &created);
    if (result != VK_SUCCESS && !data.empty()) {
        info.initialDataSize = 0;
        info.pInitialData = nullptr;
        result = device_->vkCreatePipelineCache(device_.handle(), &info, nullptr, &created);
    }
    handle_ = result == VK_SUCCESS ? created : VK_NULL_HANDLE;
    if (!handle_)  // compiling takes longer without it
        log(LogLevel::warning, "no pipeline cache: vkCreatePipelineCache failed: {}", result_name(result));
}

PipelineCache::~PipelineCache() { device_->vkDestroyPipelineCache(device_.handle(), handle_, nullptr); }

void PipelineCache::save() const noexcept try {
    if (path_.empty() || !handle_) return;
    size_t size = 0;
    vk_check(device_->vkGetPipelineCacheData(device_.handle(), handle_, &size, nullptr), "vkGetPipelineCacheData");
    std::vector<char> data(sizeof(FileHeader) + size);
    const VkResult result =
        vk_check(device_->vkGetPipelineCacheData(device_.handle(), handle_, &size, data.data() + sizeof(FileHeader)),
                 "vkGetPipelineCacheData");
    if (size == 0 || result == VK_INCOMPLETE) return;  // another thread compiles: it saves, too
    FileHeader header;
    header.size_bytes = size;
    header.checksum = fnv1a(data.data() + sizeof header, size);
    std::memcpy(data.data(), &header, sizeof header);
    replace_file(path_, std::as_bytes(std::span(data)).first(sizeof header + size));
} catch (const std::exception& error) {
    log(LogLevel::debug, "the pipeline cache was not saved: {}", error.what());
}

}  // namespace dragoman::vulkan
