// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace dragoman::download {

// SHA-256 of bytes as they come.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;
    void add(std::span<const std::byte> bytes);
    std::string hex();  // ends it

private:
    struct Library;
    std::unique_ptr<Library> library_;
};

// Throws io_error.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace dragoman::download
