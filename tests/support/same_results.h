// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/dtype.h"
#include "vulkan/context.h"

// Results of one sentence alone and beside others, or split differently (docs/architecture.md, "What a batch may
// change"): the same bits on CPU devices; GPUs multiply few rows with a kernel of their own, which adds up in another
// order, so there they are close.
namespace dragoman::test {

inline bool same_result(const vulkan::Context& context, float found, float expected, DType type = DType::f32) {
    if (context.caps().is_cpu()) return found == expected;
    const double allowed = type == DType::f16 ? 2e-2 : 1e-4;
    return std::abs(double(found) - expected) <= allowed * (1 + std::abs(double(expected)));
}

inline bool same_results(const vulkan::Context& context, std::span<const float> found, std::span<const float> expected,
                         DType type = DType::f32) {
    return std::equal(found.begin(), found.end(), expected.begin(), expected.end(),
                      [&](float a, float b) { return same_result(context, a, b, type); });
}

}  // namespace dragoman::test
