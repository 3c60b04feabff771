// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/background.h"
#include "engine/open_device.h"
#include "vulkan/external_device.h"

namespace dragoman::engine {

// A GPU and the models on it, which share one memory budget and one scheduler. It may be the first of several devices
// that work together: a model that is loaded on it is loaded on each of them. When it is lost it is opened again, once a
// minute at most. Safe from any thread.
class Device {
public:
    // Where the options name several devices, they work together.
    static std::shared_ptr<Device> open(const vulkan::ContextOptions& options);
    // A device on a VkDevice of the app's, which must outlive it. It is never opened again.
    static std::shared_ptr<Device> adopt(const vulkan::ExternalDevice& device, const vulkan::ContextOptions& options);
    // The default device of the process: opened at first use, closed with its last user.
    static std::shared_ptr<Device> shared();

    explicit Device(std::shared_ptr<vulkan::Context> context);
    ~Device();
    Device(const Device&) = delete;

    // The device as it is open now; it may be lost.
    std::shared_ptr<OpenDevice> current() const;
    // The same, opened again first where it is known to be lost. Throws as reopen().
    std::shared_ptr<OpenDevice> opened();
    // Opens the device again, unless `lost` is not the current one: then that was done already. Returns what is open
    // now. Throws device_lost with `why` it was lost and why it is not open again: it is the app's own, it was opened
    // again less than a minute ago, or it failed.
    std::shared_ptr<OpenDevice> reopen(const std::shared_ptr<OpenDevice>& lost, const std::string& why);

    // Those of current(); a reference lasts until the device is opened again.
    vulkan::Context& context() const { return current()->context(); }
    std::shared_ptr<vulkan::Context> shared_context() const { return current()->shared_context(); }
    Scheduler& scheduler() const { return current()->scheduler(); }

    // The devices that work together with this one.
    const std::vector<std::shared_ptr<Device>>& others() const { return others_; }
    // What all of them together hold and have done.
    vulkan::ContextStats stats_of_all() const;
    // Gives back everything except weights and what running searches use, on all of them.
    void trim();

    // A thread for loading models again. What runs there must not own this device.
    Background& repairs() { return repairs_; }

    // For tests: replaces how the device is opened again, and its clock.
    using OpenAgain = std::function<std::shared_ptr<vulkan::Context>(const vulkan::Context& lost)>;
    using Clock = std::chrono::steady_clock;
    void set_open_again(OpenAgain open_again, std::function<Clock::time_point()> now = Clock::now);

private:
    std::vector<std::shared_ptr<Device>> others_;
    mutable std::mutex mutex_;  // taken after reopening_
    std::shared_ptr<OpenDevice> open_;
    vulkan::ContextStats before_;  // what it has done before it was opened again
    std::mutex reopening_;  // guards the rest
    std::optional<Clock::time_point> tried_;
    std::string lost_for_;  // why it was lost, where it could not be opened again
    OpenAgain open_again_;
    std::function<Clock::time_point()> now_ = Clock::now;
    Background repairs_;  // declared last, so it ends first
};

}  // namespace dragoman::engine
