// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "commands.h"

namespace cli {

const char* kind_of(const dragoman_device_info& device);
std::string vulkan_version(uint32_t version);
Json to_json(const dragoman_device_info& device);

}  // namespace cli
