// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "engine/scheduler.h"
#include "vulkan/context.h"

namespace dragoman::engine {

// A device as it was opened once, with the scheduler of what runs on it. When it is lost, another takes its place
// (Device::reopen), and this one goes with the last model or task on it. Safe from any thread.
class OpenDevice {
public:
    explicit OpenDevice(std::shared_ptr<vulkan::Context> context);
    ~OpenDevice();
    OpenDevice(const OpenDevice&) = delete;

    vulkan::Context& context() const { return *context_; }
    const std::shared_ptr<vulkan::Context>& shared_context() const { return context_; }
    Scheduler& scheduler() { return scheduler_; }
    // Gives back everything except weights and what running searches use.
    void trim();

private:
    std::shared_ptr<vulkan::Context> context_;
    Scheduler scheduler_;  // declared last, so it ends first
};

}  // namespace dragoman::engine
