// SPDX-License-Identifier: Apache-2.0
#include "text/precompiled_rules.h"

#include <cstdint>

#include "base/error.h"

namespace dragoman::text {

PrecompiledCharacters::PrecompiledCharacters(std::string_view map) {
    constexpr std::size_t kUnitBytes = 4;
    uint32_t bytes = 0;
    if (map.size() >= kUnitBytes)
        for (std::size_t i = 0; i < kUnitBytes; ++i) bytes |= uint32_t(static_cast<unsigned char>(map[i])) << 8 * i;
    if (bytes == 0 || bytes % kUnitBytes != 0 || bytes > map.size() - kUnitBytes)
        fail(Status::bad_model, "tokenizer.json: precompiled_charsmap: expected a size below {}, file has {}",
             map.size(), bytes);
    rules_ = spec::DoubleArray(map.substr(kUnitBytes, bytes));
    texts_ = map.substr(kUnitBytes + bytes);
}

std::optional<std::string_view> PrecompiledCharacters::replacement(std::string_view text) const {
    std::optional<std::string_view> found;
    rules_.each_beginning(text, [&](std::size_t, uint32_t offset) {
        if (offset < texts_.size()) found = texts_.c_str() + offset;
        return false;
    });
    return found;
}

}  // namespace dragoman::text
