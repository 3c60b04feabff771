// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "engine/scheduler.h"
#include "vulkan/context.h"
#include "vulkan/external_device.h"

namespace dragoman::engine {

// A GPU and the models on it, which share one memory budget and one scheduler. It may be the first of several devices
// that work together: a model that is loaded on it is loaded on each of them. Safe from any thread.
class Device {
public:
    // Where the options name several devices, they work together.
    static std::shared_ptr<Device> open(const vulkan::ContextOptions& options);
    // A device on a VkDevice of the app's, which must outlive it.
    static std::shared_ptr<Device> adopt(const vulkan::ExternalDevice& device, const vulkan::ContextOptions& options);
    // The default device of the process: opened at first use, closed with its last user.
    static std::shared_ptr<Device> shared();

    explicit Device(std::shared_ptr<vulkan::Context> context);
    ~Device();
    Device(const Device&) = delete;

    vulkan::Context& context() const { return *context_; }
    const std::shared_ptr<vulkan::Context>& shared_context() const { return context_; }
    Scheduler& scheduler() { return scheduler_; }
    // The devices that work together with this one.
    const std::vector<std::shared_ptr<Device>>& others() const { return others_; }
    // What all of them together hold and have done.
    vulkan::ContextStats stats_of_all() const;
    // Gives back everything except weights and what running searches use, on all of them.
    void trim();

private:
    std::shared_ptr<vulkan::Context> context_;
    std::vector<std::shared_ptr<Device>> others_;
    Scheduler scheduler_;  // declared last, so it ends first
};

}  // namespace dragoman::engine
