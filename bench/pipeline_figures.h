// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "vulkan/pipeline_report.h"

namespace dragoman::bench {

// One figure under the names that drivers give it; those of several are added up. All these names were seen: RADV's,
// ANV's (Intel), NVK's, Turnip's (Adreno), Honeykrisp's (Apple), PanVK's (Arm) and lavapipe's, which has none of them.
struct Column {
    const char* title;
    std::vector<std::string> names;
};

inline const std::vector<Column> columns{
    {"regs", {"VGPRs", "Register Count", "Number of GPRs", "GPRs", "Registers used"}},
    {"sgpr", {"SGPRs"}},
    {"spill", {"Spilled VGPRs", "Spilled SGPRs", "Spill count", "Spill Count", "Spills", "Spills to memory",
               "STP Count", "TMU Spills"}},
    // NVK's SLM is the local memory of an invocation.
    {"scratch", {"Scratch size", "Scratch Memory Size", "Scratch", "Stack Size", "SLM size",
                 "Spill Size"}},
    {"lds", {"LDS size", "Workgroup Memory Size", "Shared Memory Size"}},
    {"waves", {"Subgroups per SIMD", "Max Waves Per Core", "Max warps/SM"}},
    {"threads", {"Threads", "Thread Count"}},
    {"instr", {"Instructions", "Instruction Count", "Instruction count"}},
    {"bytes", {"Code size", "Binary Size"}},
    {"latency", {"Latency"}},
    {"inv.thr", {"Inverse Throughput"}},
};

// "f16/q8/f32"
inline std::string variant_of(vulkan::VariantKey key) {
    constexpr const char* kShort[] = {"f32", "f16", "bf16", "i8", "i16", "i32", "u32", "q8", "q4"};
    const auto text = [&](int place) { return kShort[static_cast<int>(key.types[place])]; };
    return fmt::format("{}/{}/{}", text(0), text(1), text(2));
}

inline std::optional<double> figure(const vulkan::PipelineFacts& facts, const Column& column) {
    std::optional<double> sum;
    for (const vulkan::PipelineStatistic& statistic : facts.statistics)
        if (std::ranges::find(column.names, statistic.name) != column.names.end())
            sum = sum.value_or(0) + statistic.value;
    return sum;
}

// Registers that do not fit.
inline double spills(const vulkan::PipelineFacts& facts) { return figure(facts, columns[2]).value_or(0); }

// Bytes that an invocation keeps in memory, spilled or indexed.
inline double scratch(const vulkan::PipelineFacts& facts) { return figure(facts, columns[3]).value_or(0); }

}  // namespace dragoman::bench
