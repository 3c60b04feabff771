// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.h"
#include "files/file_map.h"

namespace dragoman::formats {

// Reads little-endian values from a span, never past its end: a call that would reads nothing and fails with bad_model,
// naming the file, the offset and the thing being read. Views it returns point into the span. What it reads is fetched
// where the span is of a map.
class ByteReader {
public:
    ByteReader(std::span<const std::byte> bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

    uint64_t offset() const { return offset_; }
    uint64_t remaining() const { return bytes_.size() - offset_; }
    const std::string& file() const { return file_; }

    std::span<const std::byte> take(uint64_t size, std::string_view what) {
        const auto taken = pass(size, what);
        if (offset_ > fetched_) {
            constexpr uint64_t kLeast = uint64_t{1} << 10, kMost = uint64_t{1} << 20;
            const uint64_t begin = offset_ - size;
            ahead_ = begin <= fetched_ ? std::min(ahead_ * 2, kMost) : kLeast;  // further, where all of it is read
            fetched_ = std::min<uint64_t>(begin + std::max(size, ahead_), bytes_.size());
            fetch(bytes_.subspan(begin, fetched_ - begin));
        }
        return taken;
    }

    // The same for bytes that are not read here.
    std::span<const std::byte> pass(uint64_t size, std::string_view what) {
        if (size > remaining()) {
            fail(Status::bad_model, "{}: {} at byte {}: expected {} bytes, file has {}", file_, what, offset_, size,
                 remaining());
        }
        const auto taken = bytes_.subspan(offset_, size);
        offset_ += size;
        return taken;
    }

    template <class T>
    T read(std::string_view what) {
        static_assert(std::is_unsigned_v<T>);
        const auto taken = take(sizeof(T), what);
        T value = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i) {
            value = static_cast<T>(value | static_cast<T>(std::to_integer<T>(taken[i]) << (8 * i)));
        }
        return value;
    }

private:
    std::span<const std::byte> bytes_;
    std::string file_;
    uint64_t offset_ = 0, fetched_ = 0, ahead_ = 512;
};

}  // namespace dragoman::formats
