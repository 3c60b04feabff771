// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace dragoman {

// The content of one file. Copies share it; views live as long as one of them.
struct FileBytes {
    std::string name;  // for messages: "models/deen.zip: opus/source.spm"
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
    bool mapped = false;  // only addresses of a file's bytes: see file_map.h

    bool empty() const { return bytes.empty(); }
    std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

}  // namespace dragoman
