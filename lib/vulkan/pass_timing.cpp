// SPDX-License-Identifier: Apache-2.0
#include "vulkan/pass_timing.h"

#include "vulkan/result.h"

namespace dragoman::vulkan {
namespace {

constexpr uint32_t kQueriesPerPool = 256;

}  // namespace

void PassTimes::add(std::string_view name, double ns) {
    const std::lock_guard lock(mutex_);
    for (PassTime& time : times_) {
        if (time.name != name) continue;
        ++time.count;
        time.total_ns += ns;
        return;
    }
    times_.push_back({std::string(name), 1, ns});
}

std::vector<PassTime> PassTimes::get() const {
    const std::lock_guard lock(mutex_);
    return times_;
}

void PassTimes::reset() {
    const std::lock_guard lock(mutex_);
    times_.clear();
}

PassQueries::~PassQueries() {
    for (VkQueryPool pool : pools_) device_->vkDestroyQueryPool(device_.handle(), pool, nullptr);
}

uint32_t PassQueries::write(VkCommandBuffer commands) {
    if (written_ == pools_.size() * kQueriesPerPool) {
        VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
        info.queryType = VK_QUERY_TYPE_TIMESTAMP;
        info.queryCount = kQueriesPerPool;
        VkQueryPool pool = VK_NULL_HANDLE;
        vk_check(device_->vkCreateQueryPool(device_.handle(), &info, nullptr, &pool), "vkCreateQueryPool");
        pools_.push_back(pool);
        device_->vkCmdResetQueryPool(commands, pool, 0, kQueriesPerPool);
    }
    // Bottom of pipe at both ends: a pass begins when what came before it has ended.
    device_->vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pools_.back(),
                                 written_ % kQueriesPerPool);
    return written_++;
}

void PassQueries::begin(VkCommandBuffer commands, std::string_view name) {
    open_.push_back(passes_.size());
    passes_.push_back({std::string(name), write(commands), 0});
}

void PassQueries::end(VkCommandBuffer commands) {
    passes_[open_.back()].end = write(commands);
    open_.pop_back();
}

void PassQueries::collect(PassTimes& times) const {
    std::vector<uint64_t> ticks(pools_.size() * kQueriesPerPool);
    for (size_t i = 0; i < pools_.size(); ++i) {
        const auto first = static_cast<uint32_t>(i * kQueriesPerPool);
        const uint32_t count = std::min(written_ - first, kQueriesPerPool);
        vk_check(device_->vkGetQueryPoolResults(device_.handle(), pools_[i], 0, count, count * sizeof(uint64_t),
                                                ticks.data() + first, sizeof(uint64_t),
                                                VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                 "vkGetQueryPoolResults");
    }
    const uint32_t bits = device_.physical().timestamp_bits;
    const uint64_t mask = bits >= 64 ? ~0ull : (1ull << bits) - 1;
    for (const Pass& pass : passes_)
        times.add(pass.name, static_cast<double>((ticks[pass.end] - ticks[pass.begin]) & mask) *
                                 device_.caps().timestamp_period_ns);
}

}  // namespace dragoman::vulkan
