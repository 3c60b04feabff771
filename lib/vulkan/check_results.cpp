// SPDX-License-Identifier: Apache-2.0
#include "vulkan/check_results.h"

#include <fmt/ranges.h>

#include "base/log.h"
#include "vulkan/context.h"
#include "vulkan/pipelines.h"
#include "vulkan/shader_needs.h"

namespace dragoman::vulkan {
namespace {

constexpr uint32_t kWrong = 0, kRight = 1;
constexpr uint32_t kEdition = 9;  // edition of the checks: results of other editions are not used

thread_local int ahead = 0;

// What a sentence waits for: tools/cli/first_use.cpp looks for such a line.
void say_new(const KernelUse& use) {
    log(LogLevel::debug, "kernel {} is new on this device{}", kernel_name(use), ahead ? ", and compiled ahead" : "");
}

std::string kept_key(const KernelUse& use) { return fmt::format("{} {}", kEdition, kernel_key(use)); }

}  // namespace

CompilesAhead::CompilesAhead() { ++ahead; }
CompilesAhead::~CompilesAhead() { --ahead; }

std::string kernel_name(const KernelUse& use) {
    const std::string name = variant_name(*use.shader, use.key);
    return use.constants.empty() ? name : fmt::format("{} {}", name, fmt::join(use.constants, " "));
}

std::string kernel_key(const KernelUse& use) {
    const ShaderVariant* variant = find_variant(*use.shader, use.key);
    const uint64_t code = variant ? variant->code.hash : 0;
    return fmt::format("{} {:016x}", kernel_name(use), code);
}

void CheckResults::start(KernelCheck check) {
    check_ = std::move(check);
    started_ = check_ && !trusting_;
}

CheckResults::Entry& CheckResults::entry(const KernelUse& use) {
    const std::lock_guard lock(mutex_);
    auto& place = entries_[KernelId(use)];
    if (!place) place = std::make_unique<Entry>();
    return *place;
}

bool CheckResults::is_usable(Context& context, const KernelUse& use) {
    if (!started_) return true;
    Entry& known = entry(use);
    if (known.checking && !ahead) say_new(use);  // another thread is ahead, and this one waits
    const std::lock_guard lock(known.mutex);
    if (known.asked) return known.result != CheckResult::wrong;
    const std::string key = kept_key(use);
    if (const auto kept = kept_.find(key)) {
        known.result = *kept == kRight ? CheckResult::right : CheckResult::wrong;
        if (known.result == CheckResult::wrong)
            log(LogLevel::warning, "kernel {} is not used: its results with {}, {}, were wrong when it was checked",
                kernel_name(use), context.caps().name, context.caps().driver);
    } else {
        say_new(use);
        known.checking = true;
        const KernelFinding found = [&] {
            struct End {
                Entry& entry;
                ~End() { entry.checking = false; }
            } end{known};
            return check_(context, use);
        }();
        known.result = found.result;
        if (known.result == CheckResult::wrong)
            log(LogLevel::warning, "kernel {} is not used: with {}, {}, {}", kernel_name(use), context.caps().name,
                context.caps().driver, found.text);
        if (known.result == CheckResult::unknown && !found.text.empty())
            log(LogLevel::debug, "kernel {} was not checked: {}", kernel_name(use), found.text);
        else if (known.result != CheckResult::unknown)
            kept_.set(key, known.result == CheckResult::right ? kRight : kWrong);
    }
    known.asked = true;
    return known.result != CheckResult::wrong;
}

void CheckResults::remember(const KernelUse& use, CheckResult result) {
    if (result == CheckResult::unknown) return;
    Entry& known = entry(use);
    const std::lock_guard lock(known.mutex);
    known.result = result;
    known.asked = true;
    kept_.set(kept_key(use), result == CheckResult::right ? kRight : kWrong);
}

}  // namespace dragoman::vulkan
