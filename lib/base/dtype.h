// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace dragoman {

// Element types, in files and on the device. Not every one can be stored on a device (see ops/tensor.h).
enum class DType : uint8_t { f32, f16, bf16, i8, i16, i32, u32 };

constexpr uint32_t size_bytes(DType type) {
    switch (type) {
        case DType::i8: return 1;
        case DType::f16:
        case DType::bf16:
        case DType::i16: return 2;
        default: return 4;
    }
}

constexpr std::string_view name(DType type) {
    constexpr std::string_view names[] = {"float32", "float16", "bfloat16", "int8", "int16", "int32", "uint32"};
    return names[static_cast<int>(type)];
}

}  // namespace dragoman
