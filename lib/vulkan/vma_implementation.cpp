// SPDX-License-Identifier: Apache-2.0
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#define VMA_IMPLEMENTATION
#include "vulkan/vma.h"
#pragma GCC diagnostic pop
