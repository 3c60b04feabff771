// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "engine/scheduler.h"
#include "vulkan/context.h"
#include "vulkan/external_device.h"

namespace dragoman::engine {

// A GPU with the models on it: one memory budget and one scheduler for all of them. Safe from any thread.
class Device {
public:
    static std::shared_ptr<Device> open(const vulkan::ContextOptions& options);
    // A VkDevice of the app's, which outlives what is returned.
    static std::shared_ptr<Device> adopt(const vulkan::ExternalDevice& device, const vulkan::ContextOptions& options);
    // The process's default one: opened at first use, gone with its last user.
    static std::shared_ptr<Device> shared();

    explicit Device(std::shared_ptr<vulkan::Context> context);

    vulkan::Context& context() const { return *context_; }
    const std::shared_ptr<vulkan::Context>& shared_context() const { return context_; }
    Scheduler& scheduler() { return scheduler_; }
    // Gives back everything but weights and what is at work.
    void trim();

private:
    std::shared_ptr<vulkan::Context> context_;
    Scheduler scheduler_;  // ends first
};

}  // namespace dragoman::engine
