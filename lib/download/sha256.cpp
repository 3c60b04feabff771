// SPDX-License-Identifier: Apache-2.0
#include "download/sha256.h"

#include <array>
#include <fstream>
#include <vector>

#include "base/error.h"
#include "base/os/path_text.h"
#include "download/digest.h"

namespace dragoman::download {

struct Sha256::Library {
    Digest digest{EVP_sha256()};
};

Sha256::Sha256() : library_(std::make_unique<Library>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::add(std::span<const std::byte> bytes) { library_->digest.add(bytes); }
std::string Sha256::hex() { return library_->digest.hex(); }

std::string sha256_of_file(const std::filesystem::path& path) {
    constexpr std::size_t kBlock = 1 << 18;
    std::ifstream in(path, std::ios::binary);
    if (!in) fail(Status::io_error, "cannot read {}", text_of(path));
    Sha256 sum;
    std::vector<std::byte> block(kBlock);
    while (in) {
        in.read(reinterpret_cast<char*>(block.data()), std::streamsize(block.size()));
        sum.add(std::span(block).first(std::size_t(in.gcount())));
    }
    if (in.bad()) fail(Status::io_error, "cannot read {}: the system gives an error in it", text_of(path));
    return sum.hex();
}

}  // namespace dragoman::download
