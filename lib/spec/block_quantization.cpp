// SPDX-License-Identifier: Apache-2.0
#include "spec/block_quantization.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/half.h"

namespace dragoman::spec {
namespace {

using Block = std::span<const float, kBlockElements>;

void store_half(std::byte* to, uint16_t half) { std::memcpy(to, &half, sizeof half); }
float load_half(const std::byte* from) {
    uint16_t half;
    std::memcpy(&half, from, sizeof half);
    return from_half(half);
}

// 1 / d, or 0 where d is 0.
float inverse(float d) { return d == 0.0f ? 0.0f : 1.0f / d; }

// The integer nearest to x in low ... low + range.
int nearest(float x, float low, float range) {
    return static_cast<int>(std::clamp(x - low, 0.0f, range) + 0.5f) + static_cast<int>(low);
}

bool quantize_q8(Block x, std::byte* block) {
    float largest = 0.0f;
    for (const float value : x) {
        if (!std::isfinite(value)) return false;
        largest = std::max(largest, std::abs(value));
    }
    const uint16_t half = to_half(largest / 127.0f);
    const float d = from_half(half);
    if (!std::isfinite(d)) return false;
    store_half(block, half);
    const float scale = inverse(d);
    for (uint32_t j = 0; j < kBlockElements; ++j)
        block[2 + j] = static_cast<std::byte>(static_cast<int8_t>(nearest(x[j] * scale, -127.0f, 254.0f)));
    return true;
}

// Stored d and m, with their integers and the remaining error.
struct Fit {
    uint16_t d = 0, m = 0;
    uint8_t q[kBlockElements] = {};
    float error = std::numeric_limits<float>::infinity();
};

Fit fit_to(Block x, float d, float m) {
    Fit fit{.d = to_half(d), .m = to_half(m)};
    const float scale = from_half(fit.d), offset = from_half(fit.m);
    if (!std::isfinite(scale) || !std::isfinite(offset)) return fit;
    const float steps = inverse(scale);
    float error = 0;
    for (uint32_t j = 0; j < kBlockElements; ++j) {
        fit.q[j] = static_cast<uint8_t>(nearest((x[j] - offset) * steps, 0.0f, 15.0f));
        const float off = x[j] - (scale * float(fit.q[j]) + offset);
        error += off * off;
    }
    fit.error = error;
    return fit;
}

// Fits the least-squares line through (q, x).
Fit refined(Block x, const Fit& from) {
    float q_sum = 0, q_squares = 0, x_sum = 0, products = 0;
    for (uint32_t j = 0; j < kBlockElements; ++j) {
        q_sum += from.q[j];
        const auto q = float(from.q[j]);
        q_squares += q * q;
        x_sum += x[j];
        products += q * x[j];
    }
    const float n = kBlockElements, spread = n * q_squares - q_sum * q_sum;
    if (spread == 0) return from;
    const float d = (n * products - q_sum * x_sum) / spread;
    return fit_to(x, d, (x_sum - d * q_sum) / n);
}

bool quantize_q4(Block x, std::byte* block) {
    const auto [least, most] = std::minmax_element(x.begin(), x.end());
    if (!std::ranges::all_of(x, [](float value) { return std::isfinite(value); })) return false;
    const float middle = (*least + *most) / 2, range = *most - *least;
    Fit best;
    for (int step = 0; step < 8; ++step) {  // the outermost values may be cut off
        const float width = range * (1.0f - 0.04f * float(step));
        Fit fit = fit_to(x, width / 15, middle - width / 2);
        for (int round = 0; round < 3; ++round) {
            if (fit.error < best.error) best = fit;
            fit = refined(x, fit);
        }
        if (fit.error < best.error) best = fit;
    }
    if (!std::isfinite(best.error)) return false;
    store_half(block, best.d);
    store_half(block + 2, best.m);
    for (uint32_t j = 0; j < 16; ++j) block[4 + j] = static_cast<std::byte>(best.q[j] | best.q[j + 16] << 4);
    return true;
}

void dequantize_block(DType type, const std::byte* block, float* values) {
    const float d = load_half(block);
    if (type == DType::q8) {
        for (uint32_t j = 0; j < kBlockElements; ++j)
            values[j] = d * float(static_cast<int8_t>(std::to_integer<uint8_t>(block[2 + j])));
        return;
    }
    const float m = load_half(block + 2);
    for (uint32_t j = 0; j < 16; ++j) {
        const auto byte = std::to_integer<uint8_t>(block[4 + j]);
        values[j] = d * float(byte & 15) + m;
        values[j + 16] = d * float(byte >> 4) + m;
    }
}

}  // namespace

bool quantize(DType type, std::span<const float> values, std::span<std::byte> blocks) {
    DRAGOMAN_ASSERT(block_bytes(type) && values.size() % kBlockElements == 0);
    DRAGOMAN_ASSERT(blocks.size() == size_bytes(type, values.size()));
    std::byte* block = blocks.data();
    for (std::size_t i = 0; i < values.size(); i += kBlockElements, block += block_bytes(type)) {
        const Block x(values.data() + i, kBlockElements);
        if (!(type == DType::q8 ? quantize_q8(x, block) : quantize_q4(x, block))) return false;
    }
    return true;
}

void dequantize(DType type, std::span<const std::byte> blocks, uint64_t begin, std::span<float> values) {
    DRAGOMAN_ASSERT(block_bytes(type) && begin + values.size() <= blocks.size() / block_bytes(type) * kBlockElements);
    float block[kBlockElements];
    while (!values.empty()) {
        const uint64_t at = begin % kBlockElements;
        const uint64_t count = std::min<uint64_t>(kBlockElements - at, values.size());
        dequantize_block(type, blocks.data() + begin / kBlockElements * block_bytes(type), block);
        std::copy_n(block + at, count, values.begin());
        begin += count;
        values = values.subspan(count);
    }
}

}  // namespace dragoman::spec
