// SPDX-License-Identifier: Apache-2.0
#include "vulkan/spills.h"

#include "base/error.h"
#include "base/log.h"

namespace dragoman::vulkan {

uint32_t Spills::known(const KernelUse& use) {
    if (!reported_ && !any_) return 0;
    const std::lock_guard lock(mutex_);
    const auto found = amounts_.find(KernelId(use));
    return found == amounts_.end() ? 0 : found->second;
}

uint32_t Spills::of(const KernelUse& use) {
    if (!reported_ && !any_) return 0;
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = amounts_.find(KernelId(use)); found != amounts_.end()) return found->second;
    }
    if (!reported_) return 0;
    const std::string key = kernel_key(use);
    uint32_t amount = kUncompiled;
    if (const auto kept = kept_.find(key)) {
        amount = *kept;
    } else {
        try {
            amount = pipelines_.get(*use.shader, use.key, use.constants).spilled;
            kept_.set(key, amount);
        } catch (const Error& error) {
            if (error.status() == Status::device_lost || error.status() == Status::out_of_memory) throw;
            log(LogLevel::debug, "kernel {} is not compiled: {}", kernel_name(use), error.what());
        }
        if (amount != 0 && amount != kUncompiled)
            log(LogLevel::debug, "kernel {} keeps {} registers and bytes in memory", kernel_name(use), amount);
    }
    const std::lock_guard lock(mutex_);
    amounts_[KernelId(use)] = amount;
    return amount;
}

void Spills::remember(const KernelUse& use, uint32_t spilled) {
    const std::lock_guard lock(mutex_);
    amounts_[KernelId(use)] = spilled;
    any_ = true;
}

}  // namespace dragoman::vulkan
