// SPDX-License-Identifier: Apache-2.0
#pragma once

// Vulkan for this folder: there are no prototypes, functions come from the loader at run time. Nothing outside
// lib/vulkan includes this header or the ones that include it.
#include <volk.h>

// Vulkan structs are written as {sType} and the fields that are not zero.
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
