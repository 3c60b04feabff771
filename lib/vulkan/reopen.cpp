// SPDX-License-Identifier: Apache-2.0
#include "vulkan/reopen.h"

#include <algorithm>

#include "base/error.h"
#include "vulkan/context_impl.h"

namespace dragoman::vulkan {

bool is_lost(const Context& context) { return context.impl().timeline.lost(); }

bool is_owned(const Context& context) { return context.impl().device.owned(); }

std::shared_ptr<Context> open_again(const Context& lost) {
    const Context::Impl& old = lost.impl();
    DRAGOMAN_ASSERT(old.device.owned());
    const auto instance = Instance::shared(old.options.validation);
    const std::vector<PhysicalDevice> devices = instance ? physical_devices(*instance) : std::vector<PhysicalDevice>();
    const Caps& caps = lost.caps();
    const auto same = std::ranges::find_if(devices, [&](const PhysicalDevice& device) {
        return device.caps.uuid == caps.uuid && device.caps.name == caps.name && device.caps.driver == caps.driver &&
               device.refusal.empty();
    });
    if (same == devices.end())
        fail(Status::no_device, "{} is not among the {} devices that there are now", caps.name, devices.size());
    if (!old.timeline.hung()) old.cache.save();
    ContextOptions options = old.options;
    options.device = std::to_string(same->caps.index);
    const std::shared_ptr<Context> fresh = Context::create(options);
    fresh->impl().spills.take(old.spills);
    fresh->impl().tuning.take(old.tuning);
    fresh->impl().check_results.take(old.check_results);
    return fresh;
}

}  // namespace dragoman::vulkan
