// SPDX-License-Identifier: Apache-2.0
#include "vulkan/cache_file.h"

#include <fmt/format.h>

#include <fstream>
#include <random>

#include "base/error.h"
#include "base/os/path_text.h"

namespace dragoman::vulkan {

void replace_file(const std::filesystem::path& path, std::span<const std::byte> contents) {
    std::filesystem::create_directories(path.parent_path());
    std::filesystem::path part = path;
    part += fmt::format(".{:08x}", std::random_device{}());
    {
        std::ofstream file(part, std::ios::binary);
        file.write(reinterpret_cast<const char*>(contents.data()), static_cast<std::streamsize>(contents.size()));
        if (!file.flush()) fail(Status::io_error, "cannot write {}", text_of(part));
    }
    std::filesystem::rename(part, path);
}

}  // namespace dragoman::vulkan
