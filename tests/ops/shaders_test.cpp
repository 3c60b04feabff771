// SPDX-License-Identifier: Apache-2.0
// What holds for every compiled shader.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>

#include "ops/kernels.h"
#include "spv.h"
#include "vulkan/shader_code.h"

namespace dragoman::test::shaders_test {
namespace {

constexpr uint32_t kOpTypeFloat = 22, kOpConstant = 43, kHeaderWords = 5;

// Float constants that are infinite or no number.
uint32_t infinities(std::span<const uint32_t> code) {
    std::map<uint32_t, uint32_t> bits;  // of float types, by id
    uint32_t found = 0;
    for (std::size_t i = kHeaderWords; i < code.size();) {
        const uint32_t operation = code[i] & 0xffff, words = code[i] >> 16;
        REQUIRE(words > 0);
        if (operation == kOpTypeFloat) bits[code[i + 1]] = code[i + 2];
        if (operation == kOpConstant && bits.contains(code[i + 1])) {
            const uint32_t width = bits[code[i + 1]], value = code[i + 3];
            if (width == 32 && (value & 0x7f800000) == 0x7f800000) ++found;
            if (width == 16 && (value & 0x7c00) == 0x7c00) ++found;
        }
        i += words;
    }
    return found;
}

// Drivers may compute as if there were no infinities (Metal's fast arithmetic does).
TEST_CASE("no shader has an infinity among its constants") {
    for (const vulkan::Shader* shader : spv::all)
        for (const vulkan::ShaderVariant& variant : shader->variants) {
            CAPTURE(std::string(shader->name));
            CHECK(infinities(vulkan::spirv(variant.code)) == 0);
        }
}

TEST_CASE("the shader with most storage buffers has as many as a device must offer") {
    uint32_t most = 0;
    for (const vulkan::Shader* shader : spv::all)
        most = std::max(most, shader->buffers - static_cast<uint32_t>(std::popcount(shader->texels)));
    CHECK(most == vulkan::kStorageBuffersNeeded);
}

TEST_CASE("what a workgroup takes of shared memory follows from a kernel's constants") {
    const kernels::MatmulTiledTile tile{
        .activation = 7, .invocations = 128, .tile_rows = 64, .tile_k = 32, .rows = 8, .x_quads = 1, .records = 0};
    const uint32_t operands = 16 * (64 * 9 + 32 * 16);
    CHECK(kernels::matmul_tiled.shared_bytes({DType::f16, DType::f16, DType::f16}, tile) == operands);
    CHECK(kernels::matmul_tiled.shared_bytes({}, tile) == operands + 2 * 4);
    kernels::MatmulTiledTile with_records = tile;
    with_records.records = 1;
    CHECK(kernels::matmul_tiled.shared_bytes({}, with_records) == operands + 2 * 4 * (128 * 8 + 1));
    CHECK(kernels::matmul_tiled.shared_bytes({DType::f32, DType::i32, DType::f32}, tile) == 4 * 64 * 9 + 16 * 8 * 16);
    CHECK(kernels::matmul_texel.shared_bytes({}, {.activation = 7, .lanes = 8, .rows = 16, .flags = 0}) == 0);
}

}  // namespace
}  // namespace dragoman::test::shaders_test
