// SPDX-License-Identifier: Apache-2.0
#include "vulkan/stopwatch.h"

#include "vulkan/barriers.h"
#include "vulkan/result.h"

namespace dragoman::vulkan {

Stopwatch::Queries::Queries(const Device& owner) : device(owner) {
    if (!device.caps().timestamps) return;
    VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = 2;
    vk_check(device->vkCreateQueryPool(device.handle(), &info, nullptr, &pool), "vkCreateQueryPool");
}

Stopwatch::Stopwatch(const Device& device)
    : device_(device), start_(device, "start"), stop_(device, "stop"), queries_(device) {
    const VkQueryPool pool = queries_.pool;
    const auto record = [&](Commands& commands, uint32_t query) {
        commands.begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        full_barrier(device_, commands.handle());
        if (pool && query == 0) device_->vkCmdResetQueryPool(commands.handle(), pool, 0, 2);
        if (pool) device_->vkCmdWriteTimestamp(commands.handle(), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, query);
        commands.end();
    };
    record(start_, 0);
    record(stop_, 1);
}

std::optional<double> Stopwatch::seconds() const {
    if (!queries_.pool) return std::nullopt;
    uint64_t ticks[2] = {};
    const VkResult result =
        vk_check(device_->vkGetQueryPoolResults(device_.handle(), queries_.pool, 0, 2, sizeof ticks, ticks,
                                                sizeof ticks[0], VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                 "vkGetQueryPoolResults");
    if (result != VK_SUCCESS) return std::nullopt;
    const uint32_t bits = device_.physical().timestamp_bits;
    const uint64_t mask = bits >= 64 ? ~0ull : (1ull << bits) - 1;
    return double((ticks[1] - ticks[0]) & mask) * device_.caps().timestamp_period_ns * 1e-9;
}

}  // namespace dragoman::vulkan
