// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vulkan/context.h"
#include "vulkan/pipeline_figures.h"
#include "vulkan/shader.h"
#include "vulkan/check_results.h"

namespace dragoman::vulkan {

struct PipelineFacts {
    uint32_t subgroup_size = 0;
    double compile_ms = 0;
    std::vector<PipelineStatistic> statistics;  // empty where the driver reports none
};

// Reports the context's kernels from now on, in the order in which they are recorded, with their statistics captured.
void watch_dispatches(Context& context, std::function<void(const KernelUse&)> listener);
// The facts of a recorded kernel. Throws what compiling it throws.
PipelineFacts pipeline_facts(Context& context, const KernelUse& use);

// Compiles pipelines and runs nothing, so it also works on devices that only compile (RADV_FORCE_FAMILY).
class PipelineReporter {
public:
    explicit PipelineReporter(const std::string& device);  // as in ContextOptions::device
    ~PipelineReporter();

    const Caps& caps() const;
    // Throws unsupported where the device lacks what the variant needs.
    PipelineFacts compile(const Shader& shader, VariantKey key, std::span<const uint32_t> spec_constants);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace dragoman::vulkan
