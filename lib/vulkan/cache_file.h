// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace dragoman::vulkan {

inline uint64_t fnv1a(const void* data, std::size_t size, uint64_t hash = 0xcbf29ce484222325) {
    for (std::size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<const uint8_t*>(data)[i]) * 0x100000001b3;
    return hash;
}

// Replaces a file atomically: readers find the old contents or the new ones. Throws io_error.
void replace_file(const std::filesystem::path& path, std::span<const std::byte> contents);

}  // namespace dragoman::vulkan
