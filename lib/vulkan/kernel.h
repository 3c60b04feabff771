// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <type_traits>

#include "vulkan/shader.h"

namespace dragoman::vulkan {

struct NoTile {};

// Joins a shader to its host types. The consteval constructor compares them with the reflection of the
// compiled module, so a stale push struct, a missing binding or an extra constant stops the C++ compiler.
// Push: struct of 4-byte scalars shared with GLSL. Tile: struct of uint32_t, field n is constant_id n.
template <class Push, class Tile, uint32_t kBuffers>
struct Kernel {
    const Shader* shader;

    consteval Kernel(const Shader& s) : shader(&s) {
        if (s.variants.empty()) return;  // the shader compiler was too old for every variant
        if (s.push_bytes != sizeof(Push)) throw "push struct and push_constant block differ in size";
        if (sizeof(Push) > 128) throw "push struct larger than 128 bytes, the least a device guarantees";
        if (s.buffers != kBuffers) throw "number of buffers differs from the shader's bindings";
        const auto texels = static_cast<uint32_t>(std::popcount(s.texels));
        if (s.buffers - texels > kStorageBuffersNeeded) throw "raise kStorageBuffersNeeded";
        if (s.spec_constants != spec_constants()) throw "tile struct and constant_ids differ in number";
    }
    static constexpr uint32_t spec_constants() {
        if constexpr (std::is_empty_v<Tile>) return 0;
        else return sizeof(Tile) / sizeof(uint32_t);
    }
    // Shared memory of a workgroup; 0 where there is no such variant.
    constexpr uint32_t shared_bytes(VariantKey key, const Tile& tile) const {
        const ShaderVariant* variant = find_variant(*shader, key);
        if (!variant || !variant->shared_bytes) return 0;
        return variant->shared_bytes(std::bit_cast<std::array<uint32_t, sizeof(Tile) / sizeof(uint32_t)>>(tile).data());
    }
};

}  // namespace dragoman::vulkan
