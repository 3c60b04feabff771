// SPDX-License-Identifier: Apache-2.0
#include "commands.h"

namespace cli {

const dragoman::DeviceOptions& Machine::where() {
    device_options.name = device.c_str();
    device_options.cache_dir = cache_dir.c_str();
    device_options.tune = tune == "off" ? DRAGOMAN_TUNE_OFF : tune == "on" ? DRAGOMAN_TUNE_ON : DRAGOMAN_TUNE_AUTO;
    return device_options;
}

const char* Machine::path() const {
    const std::string& first = models.empty() ? model : models.front();
    return first.empty() ? nullptr : first.c_str();
}

const dragoman::ModelOptions& Machine::how() {
    dragoman::ModelOptions& options = model_options_;
    if (compute_type == "float32") options.compute_type = DRAGOMAN_COMPUTE_F32;
    if (compute_type == "float16") options.compute_type = DRAGOMAN_COMPUTE_F16;
    if (compute_type == "int8") options.compute_type = DRAGOMAN_COMPUTE_INT8;
    if (compute_type == "int8_float16") options.compute_type = DRAGOMAN_COMPUTE_INT8_FLOAT16;
    more_models_.clear();
    for (std::size_t i = 1; i < models.size(); ++i) more_models_.push_back(dragoman::view(models[i]));
    options.more_models = more_models_.empty() ? nullptr : more_models_.data();
    options.more_model_count = more_models_.size();
    options.weights = weights.empty() ? nullptr : weights.data();
    options.weight_count = weights.size();
    options.average_probabilities = average_probabilities;
    return options;
}

}  // namespace cli
