// SPDX-License-Identifier: Apache-2.0
#include "ops/weight.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/half.h"

namespace dragoman::ops {
namespace {

template <class Element, class Convert>
void pack(std::span<const float> rows, uint32_t k, std::byte* panels, Convert convert) {
    constexpr uint64_t kBlock = 16;  // inputs per round: their data stays in the first-level cache
    const uint64_t count = rows.size() / k;
    for (uint64_t first = 0; first < count; first += kPanel, panels += uint64_t(kPanel) * k * sizeof(Element)) {
        const uint64_t live = std::min<uint64_t>(kPanel, count - first);
        if (live < kPanel) std::memset(panels, 0, uint64_t(kPanel) * k * sizeof(Element));
        for (uint64_t begin = 0; begin < k; begin += kBlock) {
            const uint64_t end = std::min<uint64_t>(k, begin + kBlock);
            for (uint64_t o = 0; o < live; ++o) {
                const float* row = rows.data() + (first + o) * k;
                for (uint64_t i = begin; i < end; ++i) {
                    const Element element = convert(row[i]);
                    std::memcpy(panels + (i * kPanel + o) * sizeof(Element), &element, sizeof(Element));
                }
            }
        }
    }
}

}  // namespace

uint64_t panel_bytes(uint32_t n, uint32_t k, DType dtype) {
    const uint64_t padded_n = (uint64_t(n) + kPanel - 1) / kPanel * kPanel;
    if (dtype == DType::f32 || dtype == DType::f16) return padded_n * k * size_bytes(dtype);
    return padded_n * panel_word_rows(k, dtype) * sizeof(uint32_t);
}

uint32_t panel_word_rows(uint32_t k, DType dtype) {
    if (dtype == DType::i8) return (k + 3) / 4;
    DRAGOMAN_ASSERT(block_bytes(dtype) && k % kBlockElements == 0);
    return k / kBlockElements * (dtype == DType::q8 ? 9 : 5);
}

float pack_panels(std::span<const float> rows, uint32_t k, DType dtype, std::span<std::byte> panels) {
    DRAGOMAN_ASSERT(dtype == DType::f32 || dtype == DType::f16);
    DRAGOMAN_ASSERT(k > 0 && rows.size() % k == 0);
    DRAGOMAN_ASSERT(panels.size() == panel_bytes(static_cast<uint32_t>(rows.size() / k), k, dtype));
    if (dtype == DType::f16) pack<uint16_t>(rows, k, panels.data(), to_half);
    else pack<float>(rows, k, panels.data(), [](float value) { return value; });

    float largest = 0.0f;
    for (const float value : rows) {
        if (!std::isfinite(value)) return std::numeric_limits<float>::infinity();
        largest = std::max(largest, std::abs(value));
    }
    return largest;
}

void pack_int8_panels(std::span<const int8_t> rows, uint32_t k, std::span<std::byte> panels) {
    DRAGOMAN_ASSERT(k > 0 && rows.size() % k == 0);
    const uint64_t count = rows.size() / k, words = (uint64_t(k) + 3) / 4;
    DRAGOMAN_ASSERT(panels.size() == panel_bytes(static_cast<uint32_t>(count), k, DType::i8));
    std::memset(panels.data(), 0, panels.size());
    for (uint64_t o = 0; o < count; ++o) {
        const int8_t* row = rows.data() + o * k;
        std::byte* to = panels.data() + (o / kPanel * kPanel * words + o % kPanel) * 4;
        for (uint64_t word = 0; word < words; ++word, to += kPanel * 4)
            std::memcpy(to, row + word * 4, std::min<uint64_t>(4, k - word * 4));
    }
}

void pack_block_panels(DType dtype, std::span<const std::byte> rows, uint32_t k, std::span<std::byte> panels) {
    const uint32_t block = block_bytes(dtype), word_rows = panel_word_rows(k, dtype);
    const uint64_t row_bytes = size_bytes(dtype, k), count = rows.size() / row_bytes;
    DRAGOMAN_ASSERT(rows.size() % row_bytes == 0);
    DRAGOMAN_ASSERT(panels.size() == panel_bytes(static_cast<uint32_t>(count), k, dtype));
    std::memset(panels.data(), 0, panels.size());
    for (uint64_t o = 0; o < count; ++o) {
        const std::byte* from = rows.data() + o * row_bytes;
        std::byte* to = panels.data() + (o / kPanel * kPanel * word_rows + o % kPanel) * 4;
        const auto put = [&to](const void* word) {
            std::memcpy(to, word, 4);
            to += kPanel * 4;
        };
        for (uint32_t i = 0; i < k; i += kBlockElements, from += block) {
            if (dtype == DType::q8) {
                for (uint32_t word = 0; word < 8; ++word) put(from + 2 + word * 4);
                uint16_t half;
                std::memcpy(&half, from, sizeof half);
                const float scale = from_half(half);
                put(&scale);
                continue;
            }
            for (uint32_t word = 0; word < 4; ++word) {
                // Packs inputs 8 word ... 8 word + 7: the low halves of eight bytes, or the high halves.
                uint32_t packed = 0;
                for (uint32_t j = 0; j < 8; ++j) {
                    const auto byte = std::to_integer<uint32_t>(from[4 + (word % 2) * 8 + j]);
                    packed |= (word < 2 ? byte & 15 : byte >> 4) << 4 * j;
                }
                put(&packed);
            }
            put(from);
        }
    }
}

}  // namespace dragoman::ops
