// SPDX-License-Identifier: Apache-2.0
#include "engine/device.h"

#include <mutex>

#include "base/background.h"
#include "base/per_process.h"
#include "check/check.h"

namespace dragoman::engine {

std::shared_ptr<Device> Device::open(const vulkan::ContextOptions& options) {
    auto contexts = vulkan::Context::create_all(options);
    const auto first = std::make_shared<Device>(contexts.front());
    for (auto at = contexts.begin() + 1; at != contexts.end(); ++at)
        first->others_.push_back(std::make_shared<Device>(*at));
    return first;
}

std::shared_ptr<Device> Device::adopt(const vulkan::ExternalDevice& device, const vulkan::ContextOptions& options) {
    return std::make_shared<Device>(vulkan::Context::adopt(device, options));
}

std::shared_ptr<Device> Device::shared() {
    struct Shared {
        std::mutex mutex;
        std::weak_ptr<Device> alive;
    };
    static auto& all = *new PerProcess<Shared>();
    Shared& shared = all.get();
    const std::lock_guard lock(shared.mutex);
    std::shared_ptr<Device> device = shared.alive.lock();
    if (!device) shared.alive = device = open({});
    return device;
}

Device::Device(std::shared_ptr<vulkan::Context> context) : context_(std::move(context)), scheduler_(context_) {
    check::watch(*context_);
    if (!context_->caps().is_cpu()) context_->background().start();
}

Device::~Device() { context_->background().stop(); }

vulkan::ContextStats Device::stats_of_all() const {
    vulkan::ContextStats sum = context_->stats();
    for (const auto& other : others_) sum += other->stats_of_all();
    return sum;
}

void Device::trim() {
    scheduler_.trim();
    context_->trim();
    for (const auto& other : others_) other->trim();
}

}  // namespace dragoman::engine
