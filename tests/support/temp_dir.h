// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/os/path_text.h"

namespace dragoman::test {

// A path that is its text in UTF-8 wherever one is wanted.
struct Path : std::filesystem::path {
    using path::path;
    Path(path other) : path(std::move(other)) {}
#ifdef _WIN32  // elsewhere every path is
    operator std::string() const { return text_of(*this); }
#endif
    Path operator/(std::string_view name) const { return static_cast<const path&>(*this) / path_of(name); }
};

// A new empty folder that is removed with everything in it.
class TempDir {
public:
    TempDir() {
        std::random_device random;
        do path_ = std::filesystem::temp_directory_path() / ("dragoman_test_" + std::to_string(random()));
        while (!std::filesystem::create_directory(path_));
    }
    ~TempDir() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;

    const Path& path() const { return path_; }

    Path write(std::string_view name, std::string_view content) const {
        const Path file = path_ / name;
        std::ofstream(file, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
        return file;
    }

private:
    Path path_;
};

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + dragoman::text_of(path));
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace dragoman::test
