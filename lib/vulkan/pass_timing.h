// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "vulkan/context.h"
#include "vulkan/device.h"

namespace dragoman::vulkan {

// Sums per name, in order of first appearance. Safe from any thread.
class PassTimes {
public:
    void add(std::string_view name, double ns);
    std::vector<PassTime> get() const;
    void reset();

private:
    mutable std::mutex mutex_;
    std::vector<PassTime> times_;
};

// Timestamp pairs of one command list. They are overwritten by every run of the list, so a list with passes
// runs alone and is collected before it runs again.
class PassQueries {
public:
    explicit PassQueries(const Device& device) : device_(device) {}
    ~PassQueries();
    PassQueries(const PassQueries&) = delete;

    void begin(VkCommandBuffer commands, std::string_view name);
    void end(VkCommandBuffer commands);
    bool empty() const { return passes_.empty(); }
    void collect(PassTimes& times) const;  // after the list has run

private:
    struct Pass {
        std::string name;
        uint32_t begin = 0, end = 0;
    };

    uint32_t write(VkCommandBuffer commands);

    const Device& device_;
    std::vector<VkQueryPool> pools_;
    uint32_t written_ = 0;
    std::vector<Pass> passes_;
    std::vector<size_t> open_;
};

}  // namespace dragoman::vulkan
