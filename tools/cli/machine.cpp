// SPDX-License-Identifier: Apache-2.0
#include "commands.h"

namespace cli {

const dragoman::DeviceOptions& Machine::where() {
    device_options.name = device.c_str();
    device_options.cache_dir = cache_dir.c_str();
    return device_options;
}

dragoman::ModelOptions Machine::how() const {
    dragoman::ModelOptions options;
    if (compute_type == "float32") options.compute_type = DRAGOMAN_COMPUTE_F32;
    if (compute_type == "float16") options.compute_type = DRAGOMAN_COMPUTE_F16;
    if (compute_type == "int8") options.compute_type = DRAGOMAN_COMPUTE_INT8;
    return options;
}

}  // namespace cli
