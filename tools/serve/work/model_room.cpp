// SPDX-License-Identifier: Apache-2.0
// Room for models on the device: which of them goes when another is to be loaded.
#include <algorithm>
#include <chrono>
#include <thread>

#include "serve/work/model_pool.h"

namespace serve::work {
namespace {

constexpr std::chrono::seconds kWaitForRoom{5};
constexpr std::uint64_t kRoomForWork = std::uint64_t(64) << 20;  // that a model's translations take besides it

}  // namespace

std::uint64_t ModelPool::held_bytes() const {
    std::shared_ptr<dragoman::Device> device;
    {
        const std::lock_guard lock(mutex_);
        device = device_;
    }
    return device ? device->memory().held_bytes : 0;
}

// The one that was used least recently; those at work only where `also_used`.
bool ModelPool::drop_idle(const std::set<std::string>& kept, bool also_used) {
    std::string oldest;
    {
        const std::lock_guard lock(mutex_);
        std::uint64_t when = 0;
        for (const auto& [name, slot] : slots_) {
            long users = slot.loaded.use_count() - 1;
            bool in_route = false;
            for (const auto& [key, route] : routes_) {
                const long here = std::ranges::count(route->models, slot.loaded);
                users -= here;
                in_route |= here > 0 && route.use_count() > 1;
            }
            const bool used = users > 0 || in_route;
            if (kept.contains(name) || (used && !also_used) || (!oldest.empty() && slot.used > when)) continue;
            oldest = name;
            when = slot.used;
        }
    }
    if (!oldest.empty()) drop(oldest);
    return !oldest.empty();
}

void ModelPool::make_room(const CatalogModel& model, const std::set<std::string>& kept) {
    const auto count = [&] {
        const std::lock_guard lock(mutex_);
        return slots_.size();
    };
    while (options_.most_loaded && count() >= options_.most_loaded &&
           (drop_idle(kept, false) || drop_idle(kept, true))) {}
    if (!options_.memory_bytes) return;
    std::uint64_t needed = std::max<std::uint64_t>(model.bytes, 2 * model.parameters);
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = device_bytes_.find(model.name); known != device_bytes_.end()) needed = known->second;
    }
    needed += std::min(kRoomForWork, options_.memory_bytes / 4);
    const auto fits = [&] { return held_bytes() + needed <= options_.memory_bytes; };
    if (!fits()) open()->trim();
    while (!fits() && drop_idle(kept, false)) {}
    while (!fits() && drop_idle(kept, true)) {}
    // Requests at work still hold what was dropped.
    const auto end = std::chrono::steady_clock::now() + kWaitForRoom;
    while (!fits() && count() <= kept.size() && std::chrono::steady_clock::now() < end && held_bytes() > 0 &&
           needed <= options_.memory_bytes)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

}  // namespace serve::work
