// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vulkan/shader.h"

namespace dragoman::vulkan {

// A module's words. Unpacks the whole file that it is in (at most some hundred KB) each time: who makes a pipeline waits
// far longer for the driver.
std::vector<uint32_t> spirv(const ShaderCode& code);

}  // namespace dragoman::vulkan
