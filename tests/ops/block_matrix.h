// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "support/op_test.h"

namespace dragoman::test {

// Rows of blocks as files have them, of random numbers, and the values they stand for.
struct BlockMatrix {
    DType dtype;
    std::vector<std::byte> bytes;
    Matrix values;

    BlockMatrix(uint32_t n, uint32_t k, uint32_t seed, DType type)
        : dtype(type), values{n, k, std::vector<float>(size_t(n) * k)} {
        std::mt19937 engine(seed);
        const auto byte = [&] { return uint8_t(engine() >> 11); };
        const auto half = [&] { return uint16_t(0x1800 + engine() % 0x400); };  // 2^-9 to 2^-8
        for (size_t i = 0; i < values.values.size(); i += 32) {
            const uint16_t d = half(), m = uint16_t(half() | (engine() % 2 ? 0x8000 : 0) | 0x0c00);
            put(d);
            if (type == DType::q4) put(m);
            std::vector<uint8_t> packed(type == DType::q8 ? 32 : 16);
            for (uint8_t& value : packed) value = byte();
            for (const uint8_t value : packed) bytes.push_back(std::byte{value});
            for (size_t j = 0; j < 32; ++j) {
                double value = 0;
                if (type == DType::q8) value = double(from_half(d)) * int8_t(packed[j]);
                else value = double(from_half(d)) * (j < 16 ? packed[j] % 16 : packed[j - 16] / 16) + from_half(m);
                values.values[i + j] = float(value);
            }
        }
    }

    DeviceWeight upload(Context& context) const {
        std::vector<uint32_t> words(ops::panel_bytes(values.rows, values.cols, dtype) / 4, 0xffffffff);
        ops::pack_block_panels(dtype, bytes, values.cols, std::as_writable_bytes(std::span(words)));
        auto buffer = test::upload(context, words);
        const Weight weight{.data = *buffer, .dtype = dtype, .n = values.rows, .k = values.cols};
        return {std::move(buffer), weight};
    }

private:
    void put(uint16_t half) {
        bytes.push_back(std::byte(half & 0xff));
        bytes.push_back(std::byte(half >> 8));
    }
};

}  // namespace dragoman::test
