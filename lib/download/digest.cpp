// SPDX-License-Identifier: Apache-2.0
#include "download/digest.h"

#include <array>

#include "base/error.h"

namespace dragoman::download {

Digest::Digest(const EVP_MD* kind) : context_(EVP_MD_CTX_new()) {
    if (!context_ || EVP_DigestInit_ex(context_.get(), kind, nullptr) != 1)
        fail(Status::unsupported, "OpenSSL of this system does not offer a hash that downloads are checked by");
}

void Digest::add(std::span<const std::byte> bytes) {
    if (EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) != 1)
        fail(Status::internal, "OpenSSL's hash failed");
}

std::string Digest::hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> value{};
    unsigned size = 0;
    if (EVP_DigestFinal_ex(context_.get(), value.data(), &size) != 1) fail(Status::internal, "OpenSSL's hash failed");
    std::string text;
    for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", value[i]);
    return text;
}

}  // namespace dragoman::download
