// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "vulkan/pipeline_report.h"

namespace dragoman::bench {

using vulkan::Column;
inline const std::vector<Column>& columns = vulkan::pipeline_columns();

// "f16/q8/f32"
inline std::string variant_of(vulkan::VariantKey key) {
    constexpr const char* kShort[] = {"f32", "f16", "bf16", "i8", "i16", "i32", "u32", "q8", "q4"};
    const auto text = [&](int place) { return kShort[static_cast<int>(key.types[place])]; };
    return fmt::format("{}/{}/{}", text(0), text(1), text(2));
}

inline std::optional<double> figure(const vulkan::PipelineFacts& facts, const Column& column) {
    return vulkan::figure(facts.statistics, column);
}
inline double spills(const vulkan::PipelineFacts& facts) { return vulkan::spills(facts.statistics); }
inline double scratch(const vulkan::PipelineFacts& facts) { return vulkan::scratch(facts.statistics); }

}  // namespace dragoman::bench
