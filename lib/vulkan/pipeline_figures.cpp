// SPDX-License-Identifier: Apache-2.0
#include "vulkan/pipeline_figures.h"

#include <algorithm>

namespace dragoman::vulkan {
namespace {

constexpr std::size_t kSpills = 2, kScratch = 3;

}  // namespace

// These names come from RADV, ANV (Intel), NVK, Turnip (Adreno), Honeykrisp (Apple) and PanVK (Arm); lavapipe has none
// of them.
const std::vector<Column>& pipeline_columns() {
    static const std::vector<Column> columns{
        {"regs", {"VGPRs", "Register Count", "Number of GPRs", "GPRs", "Registers used"}},
        {"sgpr", {"SGPRs"}},
        {"spill",
         {"Spilled VGPRs", "Spilled SGPRs", "Spill count", "Spill Count", "Spills", "Spills to memory", "STP Count",
          "TMU Spills"}},
        // NVK's SLM is the local memory of an invocation.
        {"scratch", {"Scratch size", "Scratch Memory Size", "Scratch", "Stack Size", "SLM size", "Spill Size"}},
        {"lds", {"LDS size", "Workgroup Memory Size", "Shared Memory Size"}},
        {"waves", {"Subgroups per SIMD", "Max Waves Per Core", "Max warps/SM"}},
        {"threads", {"Threads", "Thread Count"}},
        {"instr", {"Instructions", "Instruction Count", "Instruction count"}},
        {"bytes", {"Code size", "Binary Size"}},
        {"latency", {"Latency"}},
        {"inv.thr", {"Inverse Throughput"}},
    };
    return columns;
}

std::optional<double> figure(std::span<const PipelineStatistic> statistics, const Column& column) {
    std::optional<double> sum;
    for (const PipelineStatistic& statistic : statistics)
        if (std::ranges::find(column.names, statistic.name) != column.names.end())
            sum = sum.value_or(0) + statistic.value;
    return sum;
}

double spills(std::span<const PipelineStatistic> statistics) {
    return figure(statistics, pipeline_columns()[kSpills]).value_or(0);
}

double scratch(std::span<const PipelineStatistic> statistics) {
    return figure(statistics, pipeline_columns()[kScratch]).value_or(0);
}

}  // namespace dragoman::vulkan
