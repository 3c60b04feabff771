// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vulkan/shader.h"

namespace dragoman::vulkan {

// A module's words. Unpacks the whole file that contains it (at most some hundred KB) each time: making a pipeline
// takes far longer.
std::vector<uint32_t> spirv(const ShaderCode& code);

}  // namespace dragoman::vulkan
