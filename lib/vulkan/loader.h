// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace dragoman::vulkan {

// Loads the Vulkan loader once per process; throws no_device where there is none. DRAGOMAN_VULKAN_LOADER=path loads
// that library instead of the system's (a driver's own library works too).
void load_vulkan();

}  // namespace dragoman::vulkan
