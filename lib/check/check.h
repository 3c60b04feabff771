// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "check/case.h"
#include "vulkan/check_results.h"

namespace dragoman::check {

struct Use {
    const vulkan::Shader* shader = nullptr;
    vulkan::VariantKey key;
    std::vector<uint32_t> constants;
    operator vulkan::KernelUse() const { return {shader, key, constants}; }
    bool operator==(const Use&) const = default;
};

struct Finding {
    Use use;
    vulkan::CheckResult result = vulkan::CheckResult::unknown;
    Difference difference;
    std::string text;  // what is wrong, or why the kernel was not checked
    double seconds = 0;
};

// Whether there is a check for the kernels of this shader. There is one for every shader of the library.
bool has_check(const vulkan::Shader& shader);
// Runs one kernel on small inputs and compares its outputs with loops in double precision. Throws device_lost.
Finding check_kernel(vulkan::Context& context, const Use& use);

// From now on kernels are checked before their first use (vulkan::CheckResults).
void watch(vulkan::Context& context);

// The kernels that the operations pick on this device for models of usual shapes, and their alternatives.
std::vector<Use> usual_kernels(vulkan::Context& context);

struct Report {
    vulkan::Caps device;
    std::vector<Finding> findings;
    double seconds = 0;
    uint32_t count(vulkan::CheckResult result) const;
};
// Checks all of these again and remembers the results.
Report check_device(vulkan::Context& context);

// The first report, with "others" where there are more. At least one.
std::string to_json(std::span<const Report> reports);

}  // namespace dragoman::check
