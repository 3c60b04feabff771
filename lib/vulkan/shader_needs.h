// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "vulkan/caps.h"
#include "vulkan/shader.h"

namespace dragoman::vulkan {

// "shaderInt8, cooperative matrices": the ShaderNeeds that a device does not meet; "" where it meets them all.
std::string lacking_needs(const Caps& caps, uint32_t needs);

// "matmul_tiled(float16,float32)"; trailing f32 places are left out.
std::string variant_name(const Shader& shader, VariantKey key);

}  // namespace dragoman::vulkan
