// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace dragoman {

// The content of one file, mapped or unpacked. Copies share it; views live as long as one of them.
struct FileBytes {
    std::string name;  // for messages: "models/deen.zip: opus/source.spm"
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
    bool mapped = false;  // the bytes are a file's pages; see forget_pages()

    bool empty() const { return bytes.empty(); }
    std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

// No file of a model unpacks to more.
inline constexpr uint64_t kMaxUnpackedBytes = uint64_t(1) << 36;

// Deflated data expands to at most this many times its size: a larger claim is forged.
inline constexpr uint64_t kMaxDeflateRatio = 1032;

}  // namespace dragoman
