// SPDX-License-Identifier: Apache-2.0
#include "check/case.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/half.h"
#include "ops/weight.h"

namespace dragoman::check {
namespace {

// Tolerances, as shares of the magnitude of a sum and of a result. They are wider than rounding needs, because drivers'
// functions differ.
constexpr double kSum = 1e-5, kHalfResult = 1e-3;

float stored(float value, DType dtype) { return dtype == DType::f16 ? from_half(to_half(value)) : value; }

}  // namespace

Case::Case(vulkan::Context& owner) : context(owner), rec(owner.shared_from_this(), vulkan::Checking::off) {}

std::vector<uint32_t> Case::words_below(size_t count, uint32_t end) {
    std::vector<uint32_t> words(count);
    for (uint32_t& word : words) word = below(end);
    return words;
}

BufferView Case::words(const std::vector<uint32_t>& words) {
    auto buffer = context.buffer(std::max<size_t>(words.size(), 1) * 4, vulkan::BufferUse::device, "check");
    if (!words.empty()) context.upload(*buffer, words.data(), words.size() * 4);
    buffers_.push_back(buffer);
    return *buffer;
}

BufferView Case::numbers(const std::vector<float>& numbers) {
    std::vector<uint32_t> bits(numbers.size());
    std::memcpy(bits.data(), numbers.data(), numbers.size() * 4);
    return words(bits);
}

Tensor Case::upload(const std::vector<double>& values, uint32_t rows, uint32_t cols, DType dtype, uint32_t stride) {
    const size_t elements = size_t(rows) * stride;
    std::vector<uint32_t> bits((elements * size_bytes(dtype) + 15) / 16 * 4);  // whole texels
    for (size_t i = 0; i < elements; ++i) {
        const size_t row = i / stride, col = i % stride;
        const float value = col < cols && !values.empty() ? float(values[row * cols + col]) : kUnwritten;
        if (dtype == DType::f16) {
            const uint16_t half = to_half(value);
            std::memcpy(reinterpret_cast<char*>(bits.data()) + 2 * i, &half, 2);
        } else {
            std::memcpy(&bits[i], &value, 4);
        }
    }
    return {.data = words(bits), .dtype = dtype, .rows = rows, .cols = cols, .stride = stride};
}

Matrix Case::matrix(uint32_t rows, uint32_t cols, DType dtype, uint32_t stride) {
    std::vector<double> values(size_t(rows) * cols);
    for (double& value : values) value = stored(uniform(), dtype);
    const Tensor tensor = upload(values, rows, cols, dtype, stride ? stride : cols);
    return {tensor, std::move(values)};
}

Tensor Case::blank(uint32_t rows, uint32_t cols, DType dtype, uint32_t stride) {
    return upload({}, rows, cols, dtype, stride ? stride : cols);
}

WeightMatrix Case::weight(uint32_t n, uint32_t k, DType dtype) {
    WeightMatrix made{.weight = {.dtype = dtype, .n = n, .k = k}, .values = std::vector<double>(size_t(n) * k)};
    std::vector<uint32_t> panels((ops::panel_bytes(n, k, dtype) + 3) / 4);
    const auto bytes = std::as_writable_bytes(std::span(panels)).first(ops::panel_bytes(n, k, dtype));
    if (dtype == DType::i8) {
        std::vector<int8_t> whole(made.values.size());
        for (size_t i = 0; i < whole.size(); ++i) made.values[i] = whole[i] = int8_t(int32_t(below(255)) - 127);
        ops::pack_int8_panels(whole, k, bytes);
    } else if (const uint32_t block = block_bytes(dtype)) {
        // Blocks in the layout of files: a scale, with q4 an offset, then 32 integers.
        std::vector<std::byte> blocks(made.values.size() / kBlockElements * block);
        for (size_t b = 0; b * block < blocks.size(); ++b) {
            std::byte* to = blocks.data() + b * block;
            const uint16_t scale = to_half(0.02f + 0.01f * uniform()), offset = to_half(uniform() * 0.1f);
            std::memcpy(to, &scale, 2);
            if (dtype == DType::q4) std::memcpy(to + 2, &offset, 2);
            const uint32_t head = dtype == DType::q4 ? 4 : 2, half = kBlockElements / 2;
            for (uint32_t i = head; i < block; ++i) to[i] = std::byte(below(256));
            for (uint32_t i = 0; i < kBlockElements; ++i) {
                const auto byte = std::to_integer<uint8_t>(to[head + (dtype == DType::q4 ? i % half : i)]);
                const double whole = dtype == DType::q8 ? double(int8_t(byte)) : i < half ? byte & 15 : byte >> 4;
                made.values[b * kBlockElements + i] = whole * from_half(scale) +
                                                      (dtype == DType::q4 ? from_half(offset) : 0.0f);
            }
        }
        ops::pack_block_panels(dtype, blocks, k, bytes);
    } else {
        std::vector<float> values(made.values.size());
        for (size_t i = 0; i < values.size(); ++i) made.values[i] = values[i] = stored(uniform(), dtype);
        ops::pack_panels(values, k, dtype, bytes);
    }
    made.weight.data = words(panels);
    return made;
}

void Case::run() {
    const auto list = rec.finish();
    context.wait(context.submit(*list));
}

void Case::found(uint32_t row, uint32_t column, double got, double expected, double allowed) {
    const double off = std::isnan(got) ? std::numeric_limits<double>::infinity() : std::abs(got - expected);
    difference_.wrong += !(off <= allowed);
    const double share = off / std::max(allowed, 1e-9);
    if (difference_.share >= share && difference_.share > 0) return;
    difference_ = {difference_.wrong, share, row, column, got, expected};
}

void Case::add(const Difference& other) {
    const uint64_t wrong = difference_.wrong + other.wrong;
    if (other.share > difference_.share) difference_ = other;
    difference_.wrong = wrong;
}

void Case::compare(const Tensor& y, uint32_t rows, const std::function<Expected(uint32_t, uint32_t)>& expected) {
    std::vector<uint32_t> bits(y.data.size_bytes / 4);
    context.readback(y.data, bits.data(), bits.size() * 4);
    for (uint32_t row = 0; row < y.rows; ++row)
        for (uint32_t col = 0; col < y.stride; ++col) {
            const size_t i = size_t(row) * y.stride + col;
            float got = 0;
            if (y.dtype == DType::f16) {
                uint16_t half = 0;
                std::memcpy(&half, reinterpret_cast<const char*>(bits.data()) + 2 * i, 2);
                got = from_half(half);
            } else {
                std::memcpy(&got, &bits[i], 4);
            }
            if (row >= rows || col >= y.cols) {  // elements outside the tensor are unchanged
                found(row, col, got, kUnwritten, 0);
                continue;
            }
            const auto [value, magnitude] = expected(row, col);
            const double allowed = kSum * std::max({magnitude, std::abs(value), 1.0}) +
                                   (y.dtype == DType::f16 ? kHalfResult * std::abs(value) : 0.0);
            found(row, col, got, value, allowed);
        }
}

void Case::compare_words(const BufferView& words, const std::vector<uint32_t>& expected) {
    std::vector<uint32_t> got(words.size_bytes / 4);
    context.readback(words, got.data(), got.size() * 4);
    for (size_t i = 0; i < expected.size(); ++i) found(uint32_t(i), 0, got[i], expected[i], 0);
}

}  // namespace dragoman::check
