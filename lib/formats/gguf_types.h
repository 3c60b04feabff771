// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>

#include "base/dtype.h"

// Numbers of the GGUF format, version 3.
namespace dragoman::formats::gguf {

inline constexpr uint32_t kMagic = 0x46554747;  // "GGUF"
inline constexpr uint32_t kVersion = 3;
inline constexpr uint64_t kAlignment = 32;
inline constexpr std::size_t kMaxNameBytes = 64;  // for a tensor
inline constexpr uint32_t kMaxDimensions = 4;
inline constexpr const char* kArchitecture = "dragoman";
inline constexpr const char* kT5Architecture = "t5";  // written by other programs

enum class Value : uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, array, u64, i64, f64 };
inline constexpr std::size_t kValues = std::size_t(Value::f64) + 1;

// Bytes of one value; 0: string or array.
constexpr uint32_t value_bytes(Value type) {
    constexpr uint32_t bytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    static_assert(std::size(bytes) == kValues);
    return bytes[static_cast<uint32_t>(type)];
}

constexpr const char* name(Value type) {
    constexpr const char* names[] = {"uint8",   "int8", "uint16", "int16",  "uint32", "int32",  "float32",
                                     "boolean", "text", "array",  "uint64", "int64",  "float64"};
    static_assert(std::size(names) == kValues);
    return names[static_cast<uint32_t>(type)];
}

struct TensorType {
    uint32_t id;
    DType dtype;
};
inline constexpr TensorType kTensorTypes[] = {{0, DType::f32},  {1, DType::f16},  {30, DType::bf16}, {24, DType::i8},
                                              {25, DType::i16}, {26, DType::i32}, {8, DType::q8},    {3, DType::q4}};

// The type in which a tensor's elements are stored; nullopt for unknown types.
constexpr std::optional<DType> tensor_type(uint32_t id) {
    for (const TensorType& type : kTensorTypes)
        if (type.id == id) return type.dtype;
    return std::nullopt;
}
constexpr uint32_t tensor_type_id(DType dtype) {
    for (const TensorType& type : kTensorTypes)
        if (type.dtype == dtype) return type.id;
    return ~0u;
}

// "Q4_K", or "42" for a type without a name here.
inline std::string tensor_type_name(uint32_t id) {
    constexpr std::array<const char*, 42> names = {"F32",   "F16",   "Q4_0",    "Q4_1",   nullptr,   nullptr, "Q5_0",
                                                   "Q5_1",  "Q8_0",  "Q8_1",    "Q2_K",   "Q3_K",    "Q4_K",  "Q5_K",
                                                   "Q6_K",  "Q8_K",  "IQ2_XXS", "IQ2_XS", "IQ3_XXS", "IQ1_S", "IQ4_NL",
                                                   "IQ3_S", "IQ2_S", "IQ4_XS",  "I8",     "I16",     "I32",   "I64",
                                                   "F64",   "IQ1_M", "BF16",    nullptr,  nullptr,   nullptr, "TQ1_0",
                                                   "TQ2_0", nullptr, nullptr,   nullptr,  "MXFP4",   "NVFP4", "Q1_0"};
    return id < names.size() && names[id] ? names[id] : std::to_string(id);
}

}  // namespace dragoman::formats::gguf
