// SPDX-License-Identifier: Apache-2.0
#include "vulkan/memory_room.h"

#include <doctest/doctest.h>

#include <initializer_list>

namespace memory_room_test {

using namespace dragoman::vulkan;

namespace {

constexpr uint64_t kMiB = 1u << 20, kGiB = 1u << 30;
constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                kVisible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
                                kCoherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                                kLazy = VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT,
                                kProtected = VK_MEMORY_PROPERTY_PROTECTED_BIT,
                                kDebugged = VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD;

VkPhysicalDeviceMemoryProperties memory(std::initializer_list<VkMemoryHeap> heaps,
                                        std::initializer_list<VkMemoryType> types) {
    VkPhysicalDeviceMemoryProperties result{};
    for (const VkMemoryHeap& heap : heaps) result.memoryHeaps[result.memoryHeapCount++] = heap;
    for (const VkMemoryType& type : types) result.memoryTypes[result.memoryTypeCount++] = type;
    return result;
}

// AMD's integrated GPUs on Windows: what the firmware sets aside is local, the host's half is not.
VkPhysicalDeviceMemoryProperties small_part(uint64_t local_bytes) {
    return memory({{16 * kGiB, 0}, {local_bytes, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}},
                  {{kVisible | kCoherent, 0}, {kLocal, 1}, {kLocal | kVisible | kCoherent, 1}});
}

// A graphics card with a window onto its memory.
const VkPhysicalDeviceMemoryProperties card =
    memory({{4 * kGiB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}, {16 * kGiB, 0}, {256 * kMiB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}},
           {{kLocal, 0}, {kVisible | kCoherent, 1}, {kLocal | kVisible | kCoherent, 2}});

VkPhysicalDeviceMemoryBudgetPropertiesEXT budget(std::initializer_list<uint64_t> budgets,
                                                 std::initializer_list<uint64_t> used) {
    VkPhysicalDeviceMemoryBudgetPropertiesEXT result{};
    std::copy(budgets.begin(), budgets.end(), result.heapBudget);
    std::copy(used.begin(), used.end(), result.heapUsage);
    return result;
}

void check(const DeviceMemory& room, const DeviceMemory& expected) {
    CHECK(room.heap_bytes == expected.heap_bytes);
    CHECK(room.budget_bytes == expected.budget_bytes);
    CHECK(room.used_bytes == expected.used_bytes);
    CHECK(room.measured == expected.measured);
}

}  // namespace

TEST_CASE("an integrated GPU has the room of all heaps, however small its local one is") {
    for (const uint64_t local : {uint64_t(0), 16 * kMiB, 512 * kMiB, 4 * kGiB}) {
        const uint64_t all = 16 * kGiB + local;
        check(memory_room(DeviceKind::integrated, small_part(local), nullptr), {all, all, 0, false});
    }
    const auto one = memory({{8 * kGiB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}}, {{kLocal | kVisible | kCoherent, 0}});
    check(memory_room(DeviceKind::integrated, one, nullptr), {8 * kGiB, 8 * kGiB, 0, false});
}

TEST_CASE("an integrated GPU's budgets and uses are sums, too") {
    const auto reported = budget({12 * kGiB, 100 * kMiB}, {kGiB, 130 * kMiB});
    check(memory_room(DeviceKind::integrated, small_part(256 * kMiB), &reported),
          {16 * kGiB + 256 * kMiB, 12 * kGiB + 100 * kMiB, kGiB + 130 * kMiB, true});
}

TEST_CASE("heaps that no buffer can lie in do not count") {
    const auto others =
        memory({{4 * kGiB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT},
                {kGiB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT},
                {2 * kGiB, 0},
                {3 * kGiB, 0},
                {5 * kGiB, 0}},
               {{kLocal | kVisible, 0}, {kLocal | kProtected, 1}, {kLazy, 2}, {kVisible | kDebugged, 3}});
    check(memory_room(DeviceKind::integrated, others, nullptr), {4 * kGiB, 4 * kGiB, 0, false});
}

TEST_CASE("other devices have the largest local heap alone") {
    const auto reported = budget({3 * kGiB, 14 * kGiB, 200 * kMiB}, {2 * kGiB, 5 * kGiB, 30 * kMiB});
    for (const auto kind : {DeviceKind::discrete, DeviceKind::virtual_gpu, DeviceKind::cpu, DeviceKind::other}) {
        check(memory_room(kind, card, nullptr), {4 * kGiB, 4 * kGiB, 0, false});
        check(memory_room(kind, card, &reported), {4 * kGiB, 3 * kGiB, 2 * kGiB, true});
        check(memory_room(kind, small_part(0), nullptr), {0, 0, 0, false});
    }
    check(memory_room(DeviceKind::integrated, {}, nullptr), {0, 0, 0, false});
}

TEST_CASE("memory is unified where the host maps what is used of it") {
    CHECK(is_unified(DeviceKind::integrated, small_part(0)));
    CHECK(is_unified(DeviceKind::integrated, small_part(256 * kMiB)));
    CHECK(!is_unified(DeviceKind::integrated, memory({{kGiB, 0}}, {{kLocal, 0}})));
    CHECK(!is_unified(DeviceKind::integrated, {}));
    CHECK(!is_unified(DeviceKind::virtual_gpu, card));
    CHECK(!is_unified(DeviceKind::cpu, small_part(0)));
    const auto one = memory({{8 * kGiB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}}, {{kLocal | kVisible | kCoherent, 0}});
    CHECK(is_unified(DeviceKind::cpu, one));
    CHECK(is_unified(DeviceKind::other, one));
    CHECK(!is_unified(DeviceKind::discrete, one));
}

}  // namespace memory_room_test
