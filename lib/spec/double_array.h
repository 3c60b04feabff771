// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dragoman::spec {

// A trie of texts with numbers, as Darts-clone writes it and SentencePiece's normalisation rules have it. Unit i leads to
// the block at target(i): from there a byte leads to unit block ^ byte, if that is its label; a unit with a value has it
// in unit block ^ 0.
class DoubleArray {
public:
    DoubleArray() = default;
    // Units of four bytes, the lowest first.
    explicit DoubleArray(std::string_view bytes) : units_(bytes.size() / 4) {
        for (std::size_t i = 0; i < 4 * units_.size(); ++i) units_[i / 4] |= uint32_t(uint8_t(bytes[i])) << (i % 4 * 8);
    }

    uint32_t size() const { return uint32_t(units_.size()); }
    bool is_step(uint32_t i) const { return unit(i) >> 31 == 0; }  // the unit is no value
    bool has_value(uint32_t i) const { return (unit(i) >> 8 & 1) != 0; }
    uint8_t label(uint32_t i) const { return uint8_t(unit(i)); }
    uint32_t target(uint32_t i) const { return i ^ (unit(i) >> 10 << (unit(i) >> 9 & 1) * 8); }
    uint32_t value(uint32_t i) const { return unit(target(i)) & 0x7fffffff; }

    // Calls found(bytes, value) for the texts in it that `text` begins with, the shortest first, until it returns false.
    template <class Found>
    void each_beginning(std::string_view text, Found&& found) const {
        uint32_t block = target(0);
        for (std::size_t at = 0; at < text.size() && text[at] != '\0'; ++at) {
            const uint32_t step = block ^ uint8_t(text[at]);
            if (!is_step(step) || label(step) != uint8_t(text[at])) return;
            if (has_value(step) && !found(at + 1, value(step))) return;
            block = target(step);
        }
    }

private:
    // Past the end there are values, which lead nowhere.
    uint32_t unit(uint32_t i) const { return i < units_.size() ? units_[i] : uint32_t(1) << 31; }

    std::vector<uint32_t> units_;
};

}  // namespace dragoman::spec
