// SPDX-License-Identifier: Apache-2.0
#include "ops/tune_measure.h"

#include <algorithm>

#include "base/log.h"
#include "vulkan/context.h"
#include "vulkan/tuning.h"

namespace dragoman::ops {

uint64_t code_hash(const vulkan::Shader& shader, const vulkan::VariantKey& key) {
    const vulkan::ShaderVariant* variant = vulkan::find_variant(shader, key);
    return variant ? variant->code.hash : 0;
}

double seconds_of(vulkan::Context& context, const vulkan::CommandList& list, std::size_t count, double least) {
    constexpr double kRoundSeconds = 0.3e-3;
    constexpr int kRounds = 3;
    const auto round = [&](uint32_t times) { return context.seconds(list, times) / (double(times) * double(count)); };
    round(1);  // compiles pipelines where the driver has put that off
    double best = round(1);
    if (best > 4 * least) return best;  // too slow to win
    const double one = std::max(best * double(count), 1e-6);
    const auto times = uint32_t(std::clamp(kRoundSeconds / one, 1.0, 64.0));
    for (int i = 0; i < kRounds; ++i) best = std::min(best, round(times));
    return best;
}

std::optional<uint32_t> fastest(uint32_t candidates, double margin, const Budget& budget,
                                const std::function<double(uint32_t, double)>& seconds) {
    std::optional<uint32_t> best;
    double most = kNever, least = kNever;
    for (uint32_t candidate = 0; candidate < candidates; ++candidate) {
        if (budget.spent()) return std::nullopt;
        const double now = seconds(candidate, least);
        if (now >= least || now >= most) continue;
        if (!best) most = margin * now;
        best = candidate;
        least = now;
    }
    return best;
}

std::optional<uint32_t> measured(const vulkan::Context& context, const std::function<std::string()>& key) {
    const vulkan::Tuning& tuning = context.tuning();
    return tuning.empty() ? std::nullopt : tuning.find(key());
}

void keep(vulkan::Context& context, const std::string& key, uint32_t choice) {
    log(LogLevel::debug, "tuned {}: {}", key, choice);
    context.tuning().set(key, choice);
}

}  // namespace dragoman::ops
