// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/dtype.h"

// What the build knows about a compiled shader. scripts/compile_shaders.py writes one `inline constexpr Shader` per
// .comp file into spv.h, from the unoptimised module's reflection.
namespace dragoman::vulkan {

// Device features a module asks for (its OpCapability list). A variant runs where caps has them all.
enum ShaderNeeds : uint32_t {
    kNeedsFloat16 = 1u << 0,          // shaderFloat16
    kNeedsInt8 = 1u << 1,             // shaderInt8
    kNeedsInt16 = 1u << 2,            // shaderInt16
    kNeedsStorage16 = 1u << 3,        // storageBuffer16BitAccess
    kNeedsStorage8 = 1u << 4,         // storageBuffer8BitAccess
    kNeedsSubgroupBasic = 1u << 5,
    kNeedsSubgroupArithmetic = 1u << 6,
    kNeedsSubgroupShuffle = 1u << 7,
    kNeedsIntegerDot = 1u << 8,
    kNeedsCooperativeMatrix = 1u << 9,
    kNeedsInt64 = 1u << 10,
    kNeedsCooperativeMatrix2 = 1u << 11,
    kNeedsUnknown = 1u << 31,         // a capability without a name here: the variant never runs
};

inline constexpr uint32_t kMaxBuffers = 16;
inline constexpr uint32_t kStorageBuffersNeeded = 11;  // the most buffers of any kernel: a device with fewer is refused
inline constexpr uint32_t kMaxSpecConstants = 16;

// Element types that select a variant, in the order of the names in `#pragma variants(T W = ...)`.
// Unused places stay f32.
struct VariantKey {
    std::array<DType, 3> types{DType::f32, DType::f32, DType::f32};
    constexpr VariantKey() = default;
    constexpr VariantKey(DType a, DType b = DType::f32, DType c = DType::f32) : types{a, b, c} {}
    constexpr bool operator==(const VariantKey&) const = default;
};

// Optimised SPIR-V of all variants of a file, one after the other.
struct PackedCode {
    std::span<const unsigned char> bytes;  // a frame of zstd, or the words where DRAGOMAN_COMPRESS_KERNELS is off
    uint32_t words = 0;  // unpacked
};

// Where a variant's code is; spirv() in shader_code.h unpacks it.
struct ShaderCode {
    const PackedCode* pack = nullptr;
    uint32_t begin = 0, words = 0;
    uint64_t hash = 0;  // fnv1a of the words
};

struct ShaderVariant {
    VariantKey key;
    ShaderCode code;
    uint32_t needs = 0;  // ShaderNeeds
    // Bytes of shared memory with these specialisation constants, from the shader's declarations; null: none.
    uint32_t (*shared_bytes)(const uint32_t* constants) = nullptr;
};

// A shader's interface; the generator refuses a file whose variants differ in it.
struct Shader {
    std::string_view name;  // file name without .comp: "softmax"
    std::span<const ShaderVariant> variants;
    uint32_t push_bytes = 0;  // size of the push-constant block
    uint32_t buffers = 0;  // bindings 0..buffers-1 of set 0, storage buffers except texels
    uint32_t reads = 0;  // bit b: binding b is not declared writeonly
    uint32_t writes = 0;  // bit b: binding b is not declared readonly
    uint32_t texels = 0;  // bit b: binding b is a texel buffer of 16-byte texels, for reading
    uint32_t spec_constants = 0;  // constant_id 0..spec_constants-1, local size ids included
};

// Null where the shader has no such variant, or its compiler was too old for it.
constexpr const ShaderVariant* find_variant(const Shader& shader, VariantKey key) {
    for (const ShaderVariant& variant : shader.variants)
        if (variant.key == key) return &variant;
    return nullptr;
}

}  // namespace dragoman::vulkan
