// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace dragoman {

// 128 bits that identify the bytes added, in their order. They withstand accidents, not attacks.
class Fingerprint {
public:
    void add(std::span<const std::byte> bytes);
    void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
    template <class T>
        requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void add(T value) {
        add(std::as_bytes(std::span(&value, 1)));
    }
    void add(const Fingerprint& other) {
        add(other.low_);
        add(other.high_);
    }

    uint64_t low() const { return low_; }
    uint64_t high() const { return high_; }
    bool operator==(const Fingerprint&) const = default;

private:
    void mix(uint64_t word);
    uint64_t low_ = 0x9e3779b97f4a7c15ull, high_ = 0xc2b2ae3d27d4eb4full;
};

}  // namespace dragoman
