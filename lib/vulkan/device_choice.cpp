// SPDX-License-Identifier: Apache-2.0
#include "vulkan/device_choice.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.h"

namespace dragoman::vulkan {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
    std::string out;
    for (const char c : text) out += lower(c);
    return out;
}

std::string what_is_there(std::span<const PhysicalDevice> devices) {
    if (devices.empty()) return "there is no Vulkan device";
    std::string text = "there are:";
    for (const PhysicalDevice& device : devices) {
        text += fmt::format(" [{}] {}", device.caps.index, device.caps.name);
        if (!device.refusal.empty()) text += fmt::format(" (not usable: {})", device.refusal);
        text += ';';
    }
    text.pop_back();
    return text;
}

std::optional<std::array<uint8_t, 16>> parse_uuid(std::string_view text) {
    std::string digits;
    for (const char c : text) {
        const bool hex = (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'f');
        if (hex) digits += c;
        else if (c != '-') return std::nullopt;
    }
    if (digits.size() != 32) return std::nullopt;
    std::array<uint8_t, 16> uuid;
    for (size_t i = 0; i < uuid.size(); ++i)
        std::from_chars(digits.data() + 2 * i, digits.data() + 2 * i + 2, uuid[i], 16);
    return uuid;
}

bool matches(const PhysicalDevice& device, std::string_view request) {
    if (request.empty()) return true;
    if (const auto uuid = parse_uuid(request)) return device.caps.uuid == *uuid;
    uint32_t index = 0;
    const auto [end, error] = std::from_chars(request.data(), request.data() + request.size(), index);
    if (error != std::errc::invalid_argument && end == request.data() + request.size())
        return error == std::errc{} && device.caps.index == index;
    return lower(device.caps.name).find(lower(request)) != std::string::npos;
}

// Without a request, the device with the lowest rank.
int rank(DeviceKind kind) {
    switch (kind) {
        case DeviceKind::discrete: return 0;
        case DeviceKind::integrated: return 1;
        case DeviceKind::virtual_gpu: return 2;
        case DeviceKind::other: return 3;  // a GPU that its driver names so
        case DeviceKind::cpu: break;
    }
    return 4;
}

bool is_usable_gpu(const PhysicalDevice& device) {
    return device.refusal.empty() && device.caps.kind != DeviceKind::cpu;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(' ');
    return first == text.npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

std::vector<const PhysicalDevice*> choose_devices(std::span<const PhysicalDevice> devices, std::string_view request) {
    std::vector<const PhysicalDevice*> chosen;
    if (lower(request) == "all") {
        for (const PhysicalDevice& device : devices) {
            // Two drivers may show one GPU.
            const auto same = [&](const PhysicalDevice* other) { return other->caps.uuid == device.caps.uuid; };
            if (is_usable_gpu(device) && std::ranges::none_of(chosen, same)) chosen.push_back(&device);
        }
        if (chosen.empty()) chosen.push_back(&choose_device(devices, ""));
        return chosen;
    }
    const auto matched = [&](const PhysicalDevice& device) { return matches(device, request); };
    if (request.find(',') == request.npos || std::ranges::any_of(devices, matched))
        return {&choose_device(devices, request)};
    for (std::size_t begin = 0; begin <= request.size();) {
        const std::size_t end = std::min(request.find(',', begin), request.size());
        const std::string_view name = trimmed(request.substr(begin, end - begin));
        if (name.empty())
            fail(Status::no_device, "device \"{}\": expected a device before and after each comma", request);
        chosen.push_back(&choose_device(devices, name));
        begin = end + 1;
    }
    return chosen;
}

const PhysicalDevice& choose_device(std::span<const PhysicalDevice> devices, std::string_view request) {
    const PhysicalDevice* best = nullptr;
    const PhysicalDevice* refused = nullptr;
    for (const PhysicalDevice& device : devices) {
        if (!matches(device, request)) continue;
        if (!device.refusal.empty()) refused = &device;
        else if (!best || rank(device.caps.kind) < rank(best->caps.kind)) best = &device;
    }
    if (best) return *best;
    if (devices.empty())
        fail(Status::no_device,
             "no Vulkan device: the loader found no driver with a device (install "
             "mesa-vulkan-drivers, or the graphics card's own)");
    if (request.empty()) fail(Status::no_device, "no usable Vulkan device; {}", what_is_there(devices));
    if (refused)
        fail(Status::no_device, "device \"{}\" is {}, which is not usable: {}; {}", request, refused->caps.name,
             refused->refusal, what_is_there(devices));
    fail(Status::no_device, "no device matches \"{}\"; {}", request, what_is_there(devices));
}

}  // namespace dragoman::vulkan
