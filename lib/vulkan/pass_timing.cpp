// SPDX-License-Identifier: Apache-2.0
#include "vulkan/pass_timing.h"

#include "vulkan/result.h"

namespace dragoman::vulkan {
namespace {

constexpr uint32_t kQueriesPerPool = 256;

}  // namespace

void PassTimes::add(const PassTime& more) {
    const std::lock_guard lock(mutex_);
    for (PassTime& time : times_) {
        if (time.name != more.name || time.kernel != more.kernel || time.waits != more.waits) continue;
        time.count += more.count;
        time.total_ns += more.total_ns;
        time.dispatches += more.dispatches;
        time.work += more.work;
        time.groups += more.groups;
        return;
    }
    times_.push_back(more);
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
        pools_.reserve(pools_.size() + 1);
        vk_check(device_->vkCreateQueryPool(device_.handle(), &info, nullptr, &pool), "vkCreateQueryPool");
        pools_.push_back(pool);
        device_->vkCmdResetQueryPool(commands, pool, 0, kQueriesPerPool);
    }
    // Both ends are timed at the bottom of the pipe: a pass begins when the commands before it have ended.
    device_->vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pools_.back(),
                                 written_ % kQueriesPerPool);
    return written_++;
}

void PassQueries::begin(VkCommandBuffer commands, std::string_view name) {
    open_.push_back(passes_.size());
    passes_.push_back({std::string(name), write(commands)});
}

void PassQueries::begin(VkCommandBuffer commands, Dispatch dispatch) {
    const std::string name = open_.empty() ? std::string() : passes_[open_.back()].name;
    begin(commands, name);
    for (; dispatched_ < counted_.size(); ++dispatched_) counted_[dispatched_].passes.push_back(open_.back());
    passes_.back().dispatch = std::move(dispatch);
}

void PassQueries::count_dispatch() {
    for (const size_t pass : open_) ++passes_[pass].dispatches;
}

void PassQueries::count(CountWork work) {
    if (!open_.empty()) counted_.push_back({open_, std::move(work)});
}

std::vector<Work> PassQueries::work(const ReadWords& words) const {
    std::vector<Work> work(passes_.size());
    for (const Counted& counted : counted_) {
        const Work more = counted.work(words);
        for (const size_t pass : counted.passes) work[pass] += more;
    }
    return work;
}

void PassQueries::end(VkCommandBuffer commands) {
    passes_[open_.back()].end = write(commands);
    open_.pop_back();
}

void PassQueries::collect(PassTimes& times, const std::vector<Work>& work, const ReadWords& words) const {
    std::vector<uint64_t> ticks(pools_.size() * kQueriesPerPool);
    for (size_t i = 0; i < pools_.size(); ++i) {
        const auto first = static_cast<uint32_t>(i * kQueriesPerPool);
        const uint32_t count = std::min(written_ - first, kQueriesPerPool);
        const VkResult result =
            vk_check(device_->vkGetQueryPoolResults(device_.handle(), pools_[i], 0, count, count * sizeof(uint64_t),
                                                    ticks.data() + first, sizeof(uint64_t),
                                                    VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                     "vkGetQueryPoolResults");
        if (result != VK_SUCCESS) return;  // there are no times
    }
    const uint32_t bits = device_.physical().timestamp_bits;
    const uint64_t mask = bits >= 64 ? ~0ull : (1ull << bits) - 1;
    for (size_t i = 0; i < passes_.size(); ++i) {
        const Pass& pass = passes_[i];
        const Dispatch& dispatch = pass.dispatch;
        double groups = dispatch.groups;
        if (dispatch.indirect) {
            const auto xyz = words(dispatch.indirect);
            groups = double(xyz[0]) * xyz[1] * xyz[2];
        }
        times.add({.name = pass.name,
                   .count = 1,
                   .total_ns = static_cast<double>((ticks[pass.end] - ticks[pass.begin]) & mask) *
                               device_.caps().timestamp_period_ns,
                   .dispatches = pass.dispatches,
                   .work = work[i],
                   .kernel = dispatch.kernel,
                   .waits = dispatch.waits,
                   .groups = groups});
    }
}

}  // namespace dragoman::vulkan
