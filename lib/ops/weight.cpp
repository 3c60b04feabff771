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
    constexpr uint64_t kBlock = 16;  // inputs per round: what is read and written stays in the first-level cache
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
    const uint64_t padded = dtype == DType::i8 ? (uint64_t(k) + 3) / 4 * 4 : k;
    return (uint64_t(n) + kPanel - 1) / kPanel * kPanel * padded * size_bytes(dtype);
}

float pack_panels(std::span<const float> rows, uint32_t k, DType dtype, std::span<std::byte> panels) {
    DRAGOMAN_ASSERT(dtype == DType::f32 || dtype == DType::f16);
    DRAGOMAN_ASSERT(k > 0 && rows.size() % k == 0);
    DRAGOMAN_ASSERT(panels.size() == panel_bytes(static_cast<uint32_t>(rows.size() / k), k, dtype));
    if (dtype == DType::f16)
        pack<uint16_t>(rows, k, panels.data(), to_half);
    else
        pack<float>(rows, k, panels.data(), [](float value) { return value; });

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

}  // namespace dragoman::ops
