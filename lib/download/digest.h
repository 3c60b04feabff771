// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <openssl/evp.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace dragoman::download {

// A hash of OpenSSL's over bytes as they come.
class Digest {
public:
    explicit Digest(const EVP_MD* kind);
    void add(std::span<const std::byte> bytes);
    std::string hex();  // ends it; lower case

private:
    struct Free {
        void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
    };
    std::unique_ptr<EVP_MD_CTX, Free> context_;
};

}  // namespace dragoman::download
