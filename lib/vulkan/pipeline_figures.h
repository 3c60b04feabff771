// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dragoman::vulkan {

// One figure of VK_KHR_pipeline_executable_properties under the driver's own name: "VGPRs", "Spilled SGPRs".
struct PipelineStatistic {
    std::string name;
    double value = 0;
};

// One figure under the names that drivers give it; values under several names are added up.
struct Column {
    const char* title;
    std::vector<std::string> names;
};
const std::vector<Column>& pipeline_columns();

std::optional<double> figure(std::span<const PipelineStatistic> statistics, const Column& column);
// The number of registers that do not fit.
double spills(std::span<const PipelineStatistic> statistics);
// The bytes that an invocation keeps in memory, spilled or indexed.
double scratch(std::span<const PipelineStatistic> statistics);

}  // namespace dragoman::vulkan
