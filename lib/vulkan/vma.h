// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vulkan/api.h"

#define VMA_STATIC_VULKAN_FUNCTIONS 0
#define VMA_DYNAMIC_VULKAN_FUNCTIONS 1
#include <vk_mem_alloc.h>
