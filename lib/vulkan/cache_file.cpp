// SPDX-License-Identifier: Apache-2.0
#include "vulkan/cache_file.h"

#include <fmt/format.h>

#include <fstream>
#include <random>

#include "base/error.h"
#include "base/os/path_text.h"

namespace dragoman::vulkan {

void replace_file(const std::filesystem::path& path, std::span<const std::byte> contents) {
    std::error_code made;
    std::filesystem::create_directories(path.parent_path(), made);
    if (made) fail(Status::io_error, "cannot make {}: {}", text_of(path.parent_path()), made.message());
    std::filesystem::path part = path;
    part += fmt::format(".{:08x}", std::random_device{}());
    std::error_code error;
    {
        std::ofstream file(part, std::ios::binary);
        file.write(reinterpret_cast<const char*>(contents.data()), static_cast<std::streamsize>(contents.size()));
        file.close();
        if (!file) error = std::make_error_code(std::errc::io_error);
    }
    if (!error) std::filesystem::rename(part, path, error);
    if (!error) return;
    std::error_code gone;
    std::filesystem::remove(part, gone);  // nothing half written is left
    fail(Status::io_error, "cannot write {}: {}", text_of(path), error.message());
}

}  // namespace dragoman::vulkan
