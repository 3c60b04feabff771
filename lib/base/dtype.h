// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace dragoman {

// Element types, in files and on the device. Not every one can be stored on a device (see ops/tensor.h). q8 and q4 come
// in blocks of 32 neighbouring elements (spec/block_quantization.h).
enum class DType : uint8_t { f32, f16, bf16, i8, i16, i32, u32, q8, q4 };
inline constexpr std::size_t kDTypes = std::size_t(DType::q4) + 1;

inline constexpr uint32_t kBlockElements = 32;

// Size of a block in a file, in bytes; 0: the type has no blocks.
constexpr uint32_t block_bytes(DType type) { return type == DType::q8 ? 34 : type == DType::q4 ? 20 : 0; }

// Size of one element in bytes. Types with blocks have none.
constexpr uint32_t size_bytes(DType type) {
    switch (type) {
        case DType::i8: return 1;
        case DType::f16:
        case DType::bf16:
        case DType::i16: return 2;
        default: return 4;
    }
}

// Size in bytes of elements that lie together in a file, a whole number of blocks.
constexpr uint64_t size_bytes(DType type, uint64_t elements) {
    return block_bytes(type) ? elements / kBlockElements * block_bytes(type) : elements * size_bytes(type);
}

constexpr std::string_view name(DType type) {
    constexpr std::string_view names[] = {"float32", "float16", "bfloat16", "int8", "int16",
                                          "int32",   "uint32",  "q8",       "q4"};
    static_assert(std::size(names) == kDTypes);
    return names[static_cast<int>(type)];
}

}  // namespace dragoman
