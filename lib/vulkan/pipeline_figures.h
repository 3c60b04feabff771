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

// One figure under the names that drivers give it; those of several are added up.
struct Column {
    const char* title;
    std::vector<std::string> names;
};
const std::vector<Column>& pipeline_columns();

std::optional<double> figure(std::span<const PipelineStatistic> statistics, const Column& column);
// Registers that do not fit.
double spills(std::span<const PipelineStatistic> statistics);
// Bytes that an invocation keeps in memory, spilled or indexed.
double scratch(std::span<const PipelineStatistic> statistics);

}  // namespace dragoman::vulkan
