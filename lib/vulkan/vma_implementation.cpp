// SPDX-License-Identifier: Apache-2.0
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#endif
#define VMA_IMPLEMENTATION
#include "vulkan/vma.h"
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
