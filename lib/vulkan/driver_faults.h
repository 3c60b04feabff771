// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "vulkan/api.h"

namespace dragoman::vulkan {

// Known drivers that report features which do not work.

// Why this driver cannot run the kernels, or "" where it can. `version` is in the driver's own numbering;
// `storage_buffers` is how many one shader may have.
std::string driver_refusal(VkDriverId driver, uint32_t version, uint32_t storage_buffers);

// Whether workgroups of one dispatch can read what others have written. False for MoltenVK: below Metal Shading Language
// 3.2, which it has from macOS 15 and iOS 18 on, fences order the memory of one workgroup alone, and no driver tells
// which language it generates.
bool orders_workgroups(VkDriverId driver);

#if defined(__aarch64__) || defined(_M_ARM64)
inline constexpr bool kArmHost = true;
#else
inline constexpr bool kArmHost = false;
#endif
// False for lavapipe on 64-bit Arm with an LLVM that ends the process at 16-bit arithmetic, which no check survives.
// `name` is the device's: "llvmpipe (LLVM 15.0.6, 128 bits)".
bool compiles_halves(VkDriverId driver, std::string_view name, bool arm);

}  // namespace dragoman::vulkan
