// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.h>

#include "engine/device.h"

namespace dragoman::capi {

vulkan::ContextOptions device_options(const dragoman_device_options* given);  // NULL: the defaults
void write_device_info(const vulkan::Caps& caps, dragoman_device_info* target);
void write_memory_info(const engine::Device& device, dragoman_memory_info* target);  // sums over all of them

}  // namespace dragoman::capi
