// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/model.h"

namespace dragoman::engine {

// The same network on one device or on several, and how much work each device has been given. Which devices are lost
// and how much work there is changes, the rest does not. Safe from any thread.
class Replicas {
public:
    explicit Replicas(std::vector<std::shared_ptr<const Model>> models);  // at least one
    Replicas(const Replicas&) = delete;

    std::size_t count() const { return models_.size(); }
    const Model& at(std::size_t replica) const { return *models_[replica]; }
    const std::shared_ptr<const Model>& first() const { return models_.front(); }
    bool on_same_devices(const Replicas& other) const;
    std::string device_names() const;  // each name once, in the order of the devices: "NVIDIA L4, AMD Radeon Pro W7900"
    decode::SearchStats stats() const;  // of all devices

    // A lost device is given no more work. The first call for a device logs it with the reason.
    void lose(std::size_t replica, const std::string& why) const;
    bool lost(std::size_t replica) const;

    // The work that tasks have given to a device, in source tokens.
    void begin(std::size_t replica, std::size_t tokens) const;
    void end(std::size_t replica, std::size_t tokens, bool done) const;  // done: not given up
    // When the device will have done all its work and these tokens, in seconds from now, by the rate that it has shown.
    // Devices that have shown none yet count as fast as the others.
    double done_after(std::size_t replica, std::size_t tokens) const;

private:
    struct Load {
        std::size_t tokens = 0;  // at work
        double tokens_done = 0.0, busy_seconds = 0.0;
        double since = 0.0;  // busy_seconds holds the time until here
        bool lost = false;
    };
    static void pass_time(Load& load);
    static double rate(const Load& load);

    const std::vector<std::shared_ptr<const Model>> models_;
    mutable std::mutex mutex_;
    mutable std::vector<Load> loads_;
};

}  // namespace dragoman::engine
