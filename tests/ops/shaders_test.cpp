// SPDX-License-Identifier: Apache-2.0
// What holds for every compiled shader.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>

#include "spv.h"

namespace dragoman::test {
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
            CHECK(infinities(variant.code) == 0);
        }
}

TEST_CASE("the shader with most storage buffers has as many as a device must offer") {
    uint32_t most = 0;
    for (const vulkan::Shader* shader : spv::all)
        most = std::max(most, shader->buffers - static_cast<uint32_t>(std::popcount(shader->texels)));
    CHECK(most == vulkan::kStorageBuffersNeeded);
}

}  // namespace
}  // namespace dragoman::test
