// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "vulkan/context.h"
#include "vulkan/device.h"

namespace dragoman::vulkan {

// Sums by name and kernel, in order of first appearance. Safe from any thread.
class PassTimes {
public:
    void add(const PassTime& more);
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
    void count_dispatch();
    void count(CountWork work);
    void end(VkCommandBuffer commands);
    // A dispatch, timed as a pass within the open one. Its work is what was counted since the dispatch before.
    struct Dispatch {
        std::string kernel;
        bool waits = false;
        double groups = 0;
        BufferView indirect;  // set: the number of groups is there
    };
    void begin(VkCommandBuffer commands, Dispatch dispatch);
    bool empty() const { return passes_.empty(); }
    std::vector<Work> work(const ReadWords& words) const;                       // before the list runs
    // after the list has run
    void collect(PassTimes& times, const std::vector<Work>& work, const ReadWords& words) const;

private:
    struct Pass {
        std::string name;
        uint32_t begin = 0, end = 0;
        uint32_t dispatches = 0;
        Dispatch dispatch{};
    };

    uint32_t write(VkCommandBuffer commands);

    const Device& device_;
    std::vector<VkQueryPool> pools_;
    uint32_t written_ = 0;
    std::vector<Pass> passes_;
    std::vector<size_t> open_;
    struct Counted {
        std::vector<size_t> passes;
        CountWork work;
    };
    std::vector<Counted> counted_;
    size_t dispatched_ = 0;  // how much of counted_ belongs to earlier dispatches
};

}  // namespace dragoman::vulkan
