// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <optional>

#include "ops/tune.h"

// Measuring, for ops/tune*.cpp.
namespace dragoman::ops {

// A candidate must be faster by this factor to win: times of one kernel differ by a few per cent.
inline constexpr double kTileMargin = 0.95, kKernelMargin = 0.9;
inline constexpr double kNever = std::numeric_limits<double>::infinity();
// So many matrices of one shape take turns, so that they do not all stay in a cache, where a step would not find them.
inline constexpr std::size_t kMaxWeights = 8;

// Hash of a shader's code; 0: it has no such variant.
uint64_t code_hash(const vulkan::Shader& shader, const vulkan::VariantKey& key);

// Seconds of one of the `count` operations in the list; less exact if it takes much longer than `least`.
double seconds_of(vulkan::Context& context, const vulkan::CommandList& list, std::size_t count, double least);

// The first candidate that can run, unless another takes less than `margin` of its time. `seconds(candidate, least)` is
// kNever where it cannot run. Nullopt: none can, or time ran out.
std::optional<uint32_t> fastest(uint32_t candidates, double margin, const Budget& budget,
                                const std::function<double(uint32_t, double)>& seconds);

// The choice measured before.
std::optional<uint32_t> measured(const vulkan::Context& context, const std::function<std::string()>& key);
void keep(vulkan::Context& context, const std::string& key, uint32_t choice);

}  // namespace dragoman::ops
