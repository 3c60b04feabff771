// SPDX-License-Identifier: Apache-2.0
#include "engine/device.h"

#include <mutex>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "base/per_process.h"
#include "vulkan/reopen.h"

namespace dragoman::engine {
namespace {

// A device that is lost again this soon would be lost for ever. So does one that could not be opened.
constexpr std::chrono::seconds kBetween{60};

}  // namespace

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

Device::Device(std::shared_ptr<vulkan::Context> context)
    : open_(std::make_shared<OpenDevice>(std::move(context))),
      open_again_([](const vulkan::Context& lost) { return vulkan::open_again(lost); }) {
    repairs_.start();
}

Device::~Device() { repairs_.stop(); }

void Device::set_open_again(OpenAgain open_again, std::function<Clock::time_point()> now) {
    const std::lock_guard lock(reopening_);
    open_again_ = std::move(open_again);
    now_ = std::move(now);
}

std::shared_ptr<OpenDevice> Device::current() const {
    const std::lock_guard lock(mutex_);
    return open_;
}

std::shared_ptr<OpenDevice> Device::opened() {
    const std::shared_ptr<OpenDevice> now = current();
    std::string why;
    {
        const std::lock_guard lock(reopening_);
        why = lost_for_;
    }
    return why.empty() && !vulkan::is_lost(now->context()) ? now : reopen(now, why);
}

std::shared_ptr<OpenDevice> Device::reopen(const std::shared_ptr<OpenDevice>& lost, const std::string& why) {
    const std::lock_guard one_at_a_time(reopening_);
    if (const auto now = current(); now != lost) return now;
    const std::string& name = lost->context().caps().name;
    if (!why.empty()) lost_for_ = why;
    else if (lost_for_.empty()) lost_for_ = fmt::format("{} was lost", name);
    if (!vulkan::is_owned(lost->context()))
        fail(Status::device_lost, "{}; the device is the app's, which must open a new one and hand it over", lost_for_);
    const Clock::time_point now = now_();
    if (tried_ && now - *tried_ < kBetween)
        fail(Status::device_lost, "{}; it is not opened again, since that was tried {} s ago; open it anew", lost_for_,
             std::chrono::duration_cast<std::chrono::seconds>(now - *tried_).count());
    tried_ = now;
    std::shared_ptr<OpenDevice> fresh;
    try {
        fresh = std::make_shared<OpenDevice>(open_again_(lost->context()));
    } catch (const Error& error) {
        fail(Status::device_lost, "{}; {} was not opened again: {}", lost_for_, name, error.what());
    }
    log(LogLevel::warning, "{}; {} was opened again", lost_for_, name);
    lost_for_.clear();
    vulkan::ContextStats done = lost->context().stats();
    done.memory_bytes = done.memory_peak_bytes = 0;
    const std::lock_guard lock(mutex_);
    before_ += done;
    open_ = std::move(fresh);
    return open_;
}

vulkan::ContextStats Device::stats_of_all() const {
    std::shared_ptr<OpenDevice> open;
    vulkan::ContextStats sum;
    {
        const std::lock_guard lock(mutex_);
        open = open_;
        sum = before_;
    }
    sum += open->context().stats();
    for (const auto& other : others_) sum += other->stats_of_all();
    return sum;
}

void Device::trim() {
    current()->trim();
    for (const auto& other : others_) other->trim();
}

}  // namespace dragoman::engine
