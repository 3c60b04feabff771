// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman::vulkan {

// Drivers that are wrong on purpose, for tests of the kernel check: DRAGOMAN_BROKEN_KERNELS="matmul_texel=product
// softmax=nan" changes the code of these shaders before a driver gets it ("*": of all).
//   product  multiplications add
//   nan      sums and products are not numbers
//   shuffle  every invocation gets its own value from a shuffle
//   half     shuffles stay in half of a subgroup, reductions end at the invocation itself
// Empty where the shader is not named.
std::string broken_by(std::string_view shader);

// The code of a module after this change. `subgroup_size`: what the driver names.
std::vector<uint32_t> broken_code(std::span<const uint32_t> code, std::string_view how, uint32_t subgroup_size);

}  // namespace dragoman::vulkan
