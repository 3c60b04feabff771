// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "vulkan/pipeline_report.h"

namespace dragoman::bench {

// One figure under the names that drivers give it; those of several are added up.
struct Column {
    const char* title;
    std::vector<std::string> names;
};

inline const std::vector<Column> columns{
    {"regs", {"VGPRs", "Register Count", "Number of GPRs", "GPRs", "Registers used", "Work registers"}},
    {"sgpr", {"SGPRs"}},
    {"spill", {"Spilled VGPRs", "Spilled SGPRs", "Spill count", "Spill Count", "Spills", "Spills to memory",
               "Bytes spilled", "STP Count"}},
    {"scratch", {"Scratch size", "Scratch Memory Size", "Scratch", "Stack Size", "Thread local storage"}},
    {"lds", {"LDS size", "Workgroup Memory Size", "Shared Memory Size", "SLM size", "Threadgroup memory"}},
    {"waves", {"Subgroups per SIMD", "Max Waves Per Core", "Maximum Threads", "Threads", "Thread count"}},
    {"instr", {"Instructions", "Instruction Count", "Instruction count"}},
    {"bytes", {"Code size", "Binary Size", "Code Size"}},
    {"latency", {"Latency"}},
    {"inv.thr", {"Inverse Throughput"}},
};

inline std::optional<double> figure(const vulkan::PipelineFacts& facts, const Column& column) {
    std::optional<double> sum;
    for (const vulkan::PipelineStatistic& statistic : facts.statistics)
        if (std::ranges::find(column.names, statistic.name) != column.names.end())
            sum = sum.value_or(0) + statistic.value;
    return sum;
}

// Registers and memory that it spills to.
inline double spills(const vulkan::PipelineFacts& facts) { return figure(facts, columns[2]).value_or(0); }

}  // namespace dragoman::bench
