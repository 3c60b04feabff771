// SPDX-License-Identifier: Apache-2.0
#include "vulkan/verdicts.h"

#include <fmt/ranges.h>

#include "base/log.h"
#include "vulkan/context.h"
#include "vulkan/pipelines.h"
#include "vulkan/shader_needs.h"

namespace dragoman::vulkan {
namespace {

constexpr uint32_t kWrong = 0, kRight = 1;
constexpr uint32_t kEdition = 9;  // edition of the checks: results of other editions are not used

std::string kept_key(const KernelUse& use) { return fmt::format("{} {}", kEdition, kernel_key(use)); }

}  // namespace

std::string kernel_name(const KernelUse& use) {
    const std::string name = variant_name(*use.shader, use.key);
    return use.constants.empty() ? name : fmt::format("{} {}", name, fmt::join(use.constants, " "));
}

std::string kernel_key(const KernelUse& use) {
    const ShaderVariant* variant = find_variant(*use.shader, use.key);
    const uint64_t code = variant ? variant->code.hash : 0;
    return fmt::format("{} {:016x}", kernel_name(use), code);
}

void Verdicts::start(KernelCheck check) {
    check_ = std::move(check);
    started_ = check_ && !trusting_;
}

Verdicts::Entry& Verdicts::entry(const KernelUse& use) {
    const std::lock_guard lock(mutex_);
    auto& place = entries_[KernelId(use)];
    if (!place) place = std::make_unique<Entry>();
    return *place;
}

bool Verdicts::trusts(Context& context, const KernelUse& use) {
    if (!started_) return true;
    Entry& known = entry(use);
    const std::lock_guard lock(known.mutex);
    if (known.asked) return known.verdict != Verdict::wrong;
    const std::string key = kept_key(use);
    if (const auto kept = kept_.find(key)) {
        known.verdict = *kept == kRight ? Verdict::right : Verdict::wrong;
        if (known.verdict == Verdict::wrong)
            log(LogLevel::warning, "kernel {} is not used: its results with {}, {}, were wrong when it was checked",
                kernel_name(use), context.caps().name, context.caps().driver);
    } else {
        log(LogLevel::debug, "kernel {} is new on this device", kernel_name(use));  // tools/cli/first_use.cpp waits for it
        const KernelFinding found = check_(context, use);
        known.verdict = found.verdict;
        if (known.verdict == Verdict::wrong)
            log(LogLevel::warning, "kernel {} is not used: with {}, {}, {}", kernel_name(use), context.caps().name,
                context.caps().driver, found.text);
        if (known.verdict == Verdict::unknown && !found.text.empty())
            log(LogLevel::debug, "kernel {} was not checked: {}", kernel_name(use), found.text);
        else if (known.verdict != Verdict::unknown)
            kept_.set(key, known.verdict == Verdict::right ? kRight : kWrong);
    }
    known.asked = true;
    return known.verdict != Verdict::wrong;
}

void Verdicts::remember(const KernelUse& use, Verdict verdict) {
    if (verdict == Verdict::unknown) return;
    Entry& known = entry(use);
    const std::lock_guard lock(known.mutex);
    known.verdict = verdict;
    known.asked = true;
    kept_.set(kept_key(use), verdict == Verdict::right ? kRight : kWrong);
}

}  // namespace dragoman::vulkan
