// SPDX-License-Identifier: Apache-2.0
#include "vulkan/device_choice.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "base/error.h"
#include "vulkan/context.h"

namespace device_choice_test {

using namespace dragoman;
using namespace dragoman::vulkan;

namespace {

PhysicalDevice device(uint32_t index, std::string name, DeviceKind kind, uint8_t uuid, std::string refusal = "") {
    PhysicalDevice d;
    d.caps.index = index;
    d.caps.name = std::move(name);
    d.caps.kind = kind;
    d.caps.uuid.fill(uuid);
    d.refusal = std::move(refusal);
    return d;
}

const std::vector<PhysicalDevice> machine{
    device(0, "llvmpipe (LLVM 15)", DeviceKind::cpu, 0x10),
    device(1, "Intel Iris Xe", DeviceKind::integrated, 0x21),
    device(2, "Old Radeon", DeviceKind::discrete, 0x32, "Vulkan 1.2 is needed, its driver offers 1.1"),
    device(3, "AMD Radeon RX", DeviceKind::discrete, 0xaf),
    device(4, "AMD Radeon PRO", DeviceKind::discrete, 0xbf),
};

std::string refusal_of(std::span<const PhysicalDevice> devices, std::string_view request) {
    try {
        choose_device(devices, request);
    } catch (const Error& error) {
        CHECK(error.status() == Status::no_device);
        return error.what();
    }
    FAIL("nothing was thrown for " << std::string(request));
    return {};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("without a request the best kind wins, then the first") {
    CHECK(choose_device(machine, "").caps.index == 3);
    CHECK(choose_device(std::span(machine).first(3), "").caps.index == 1);
    CHECK(choose_device(std::span(machine).first(1), "").caps.index == 0);
}

TEST_CASE("a GPU of another kind wins over the CPU's driver, and over nothing else") {
    const auto chosen = [](DeviceKind first, DeviceKind second) {
        const std::vector<PhysicalDevice> two{device(0, "A", first, 1), device(1, "B", second, 2)};
        return choose_device(two, "").caps.index;
    };
    CHECK(chosen(DeviceKind::cpu, DeviceKind::other) == 1);
    CHECK(chosen(DeviceKind::other, DeviceKind::cpu) == 0);
    CHECK(chosen(DeviceKind::other, DeviceKind::virtual_gpu) == 1);
    CHECK(chosen(DeviceKind::virtual_gpu, DeviceKind::integrated) == 1);
    CHECK(chosen(DeviceKind::integrated, DeviceKind::discrete) == 1);
}

TEST_CASE("by index, UUID and part of a name") {
    CHECK(choose_device(machine, "0").caps.index == 0);
    CHECK(choose_device(machine, "4").caps.index == 4);
    CHECK(choose_device(machine, "bfbfbfbf-bfbf-BFBF-bfbf-bfbfbfbfbfbf").caps.index == 4);
    CHECK(choose_device(machine, "10101010101010101010101010101010").caps.index == 0);
    CHECK(choose_device(machine, "IRIS").caps.index == 1);
    CHECK(choose_device(machine, "radeon").caps.index == 3);
    CHECK(choose_device(machine, "pro").caps.index == 4);
}

TEST_CASE("a refusal names the request, the reason and what is there") {
    for (const char* request : {"5", "99999999999999999999", "voodoo", "00000000-0000-0000-0000-000000000000"}) {
        const std::string message = refusal_of(machine, request);
        CHECK(contains(message, request));
        CHECK(contains(message, "[1] Intel Iris Xe"));
        CHECK(contains(message, "[4] AMD Radeon PRO"));
    }
    CHECK(contains(refusal_of(machine, "2"), "its driver offers 1.1"));
    CHECK(contains(refusal_of(machine, "old"), "its driver offers 1.1"));
    CHECK(contains(refusal_of({}, ""), "no Vulkan device"));
    CHECK(contains(refusal_of(std::span(machine).subspan(2, 1), ""), "Old Radeon"));
}

TEST_CASE("several: all GPUs once, or a list, unless the whole request is one device") {
    const auto indices = [](std::span<const PhysicalDevice> devices, std::string_view request) {
        std::vector<uint32_t> found;
        for (const PhysicalDevice* one : choose_devices(devices, request)) found.push_back(one->caps.index);
        return found;
    };
    using List = std::vector<uint32_t>;
    CHECK(indices(machine, "all") == List{1, 3, 4});
    CHECK(indices(machine, "ALL") == List{1, 3, 4});
    CHECK(indices(std::span(machine).first(1), "all") == List{0});
    std::vector<PhysicalDevice> twice = machine;
    twice.push_back(device(5, "AMD Radeon RX (another driver)", DeviceKind::discrete, 0xaf));
    CHECK(indices(twice, "all") == List{1, 3, 4});
    CHECK(indices(machine, "") == List{3});
    CHECK(indices(machine, "4,0") == List{4, 0});
    CHECK(indices(machine, "iris, pro ,0,0") == List{1, 4, 0, 0});
    const std::vector<PhysicalDevice> comma{device(0, "llvmpipe (LLVM 15.0.6, 256 bits)", DeviceKind::cpu, 1),
                                            device(1, "A", DeviceKind::discrete, 2)};
    CHECK(indices(comma, "llvmpipe (LLVM 15.0.6, 256 bits)") == List{0});
    for (const char* request : {"0,", ",0", "0,,1", ","}) {
        CAPTURE(request);
        try {
            choose_devices(machine, request);
            FAIL("nothing was thrown");
        } catch (const Error& error) {
            CHECK(error.status() == Status::no_device);
            CHECK(contains(error.what(), request));
        }
    }
    CHECK_THROWS_AS(choose_devices(machine, "0,voodoo"), Error);
    CHECK_THROWS_AS(choose_devices(machine, "0,2"), Error);
    CHECK_THROWS_AS(choose_devices({}, "all"), Error);
}

TEST_CASE("every device that is there can be opened by index, UUID and name") {
    const std::vector<Caps> devices = list_devices();
    REQUIRE(!devices.empty());
    for (const Caps& caps : devices) {
        CAPTURE(caps.name);
        CHECK(caps.api_version >= (1u << 22 | 2u << 12));
        CHECK(caps.subgroup_size >= 1);
        CHECK(caps.max_storage_range_bytes >= 128u << 20);
        CHECK(caps.device_memory_bytes > 0);
        std::string uuid;
        for (const uint8_t byte : caps.uuid) uuid += fmt::format("{:02x}", byte);
        CHECK(Context::create({.device = std::to_string(caps.index)})->caps().uuid == caps.uuid);
        CHECK(Context::create({.device = uuid})->caps().uuid == caps.uuid);
        CHECK(Context::create({.device = caps.name.substr(0, 5)})->caps().name == caps.name);
    }
    CHECK_THROWS_AS(Context::create({.device = "voodoo"}), Error);
}

}  // namespace device_choice_test
