// SPDX-License-Identifier: Apache-2.0
#include "files/file_map.h"

#include <utility>

#include "base/error.h"
#include "base/os/file.h"
#include "base/os/path_text.h"

namespace dragoman {

FileMap::FileMap(const std::filesystem::path& path) : path_(path) {
    std::span<const std::byte> bytes;
    const std::error_code error = os::map_file(path, bytes);
    if (error == std::errc::not_supported) fail(Status::io_error, "cannot map {}: not a regular file", text_of(path));
    if (error) fail(Status::io_error, "cannot map {}: {}", text_of(path), error.message());
    data_ = bytes.data();
    size_ = bytes.size();
}

FileMap::~FileMap() { os::unmap_file(bytes()); }

FileMap::FileMap(FileMap&& other) noexcept
    : path_(std::move(other.path_)), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

FileMap& FileMap::operator=(FileMap&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

FileBytes map_file(const std::filesystem::path& path) {
    const auto map = std::make_shared<const FileMap>(path);
    return {.name = text_of(path), .bytes = map->bytes(), .owner = map, .mapped = true};
}

void forget_pages(std::span<const std::byte> bytes) { os::forget_pages(bytes); }

}  // namespace dragoman
