// SPDX-License-Identifier: Apache-2.0
#include "vulkan/shader_code.h"

#ifdef DRAGOMAN_COMPRESSED_KERNELS
#include <zstd.h>
#endif

#include <cstring>
#include <string>

#include "base/error.h"

namespace dragoman::vulkan {
namespace {

std::vector<uint32_t> unpack(const PackedCode& pack) {
    std::vector<uint32_t> words(pack.words);
    const std::size_t size = words.size() * sizeof(uint32_t);
#ifdef DRAGOMAN_COMPRESSED_KERNELS
    const std::size_t got = ZSTD_decompress(words.data(), size, pack.bytes.data(), pack.bytes.size());
    if (ZSTD_isError(got) || got != size)
        fail(Status::internal, "the library's shaders: expected {} bytes, got {}", size,
             ZSTD_isError(got) ? ZSTD_getErrorName(got) : std::to_string(got));
#else
    DRAGOMAN_ASSERT(pack.bytes.size() == size);
    std::memcpy(words.data(), pack.bytes.data(), size);
#endif
    return words;
}

}  // namespace

std::vector<uint32_t> spirv(const ShaderCode& code) {
    const std::vector<uint32_t> all = unpack(*code.pack);
    const auto begin = all.begin() + code.begin;
    return {begin, begin + code.words};
}

}  // namespace dragoman::vulkan
