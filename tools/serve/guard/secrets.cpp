// SPDX-License-Identifier: Apache-2.0
#include "serve/guard/secrets.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <stdexcept>

#include "serve/ascii.h"
#include "serve/guard/words.h"

namespace serve::guard {
namespace {

constexpr std::string_view kOwnPrefix = "dg_";
constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t kSecretBytes = 32, kSecretLetters = 43;
constexpr std::size_t kHashBytes = 32;

unsigned char* writable(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }
const unsigned char* readable(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

std::string random_bytes(std::size_t count) {
    std::string bytes(count, '\0');
    if (RAND_bytes(writable(bytes), static_cast<int>(count)) != 1)
        throw std::runtime_error("the system gives no random numbers for a key");
    return bytes;
}

std::string new_secret() {
    const std::string bytes = random_bytes(kSecretBytes);
    std::string secret(kOwnPrefix);
    unsigned bits = 0;
    int held = 0;
    for (const char byte : bytes) {
        bits = bits << 8 | static_cast<unsigned char>(byte);
        for (held += 8; held >= 6; held -= 6) secret += kLetters[bits >> (held - 6) & 63];
    }
    if (held > 0) secret += kLetters[bits << (6 - held) & 63];
    return secret;
}

bool is_own(std::string_view secret) {
    return secret.starts_with(kOwnPrefix) && secret.size() == kOwnPrefix.size() + kSecretLetters &&
           std::ranges::all_of(secret, [](char each) { return kLetters.find(each) != std::string_view::npos; });
}

std::string sha256(std::string_view text) {
    std::string hash(kHashBytes, '\0');
    unsigned int size = 0;
    if (EVP_Digest(text.data(), text.size(), writable(hash), &size, EVP_sha256(), nullptr) != 1 || size != hash.size())
        throw std::runtime_error("SHA-256 does not work here");
    return hash;
}

std::string slow_hash(std::string_view secret, std::string_view salt, int rounds) {
    std::string hash(kHashBytes, '\0');
    if (PKCS5_PBKDF2_HMAC(secret.data(), static_cast<int>(secret.size()), readable(salt), static_cast<int>(salt.size()),
                          rounds, EVP_sha256(), static_cast<int>(hash.size()), writable(hash)) != 1)
        throw std::runtime_error("PBKDF2 does not work here");
    return hash;
}

bool equal(std::string_view one, std::string_view other) {
    return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

std::string hex(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return text;
}

std::string_view key_of(std::string_view header, std::string_view before) {
    if (header.size() <= before.size() || !same_in_any_case(header.substr(0, before.size()), before)) return {};
    return trimmed(header.substr(before.size()));
}

}  // namespace serve::guard
