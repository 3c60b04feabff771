// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dragoman::test {

// Which call of a Vulkan function fails, and with what.
struct VulkanFault {
    std::size_t call = 0;     // place in VulkanShim::calls()
    uint64_t occurrence = 0;  // from 0, since it was armed
    VkResult result = VK_SUCCESS;
    bool sticky = false;  // a lost device stays lost until it is destroyed
    bool no_instance = false;  // vkCreateInstance fails besides, as long as this is armed
};

struct VulkanCall {
    const char* name;
    std::vector<VkResult> results;  // that Vulkan lets it return, besides success
};

// A Vulkan loader of tests that stands before the system's, counts calls and objects, and lets one call fail. A program
// names its file in DRAGOMAN_VULKAN_LOADER, loads it too, and gets this from vulkan_shim(). Safe from any thread.
class VulkanShim {
public:
    virtual std::span<const VulkanCall> calls() const = 0;
    virtual void arm(const VulkanFault& fault) = 0;  // counts from 0 again
    virtual bool disarm() = 0;  // whether the fault struck
    virtual bool struck() const = 0;
    virtual uint64_t count(std::size_t call) const = 0;  // since arm()
    // What was made and not destroyed, without instances, and what was destroyed without being alive.
    virtual std::string leaks() const = 0;

protected:
    ~VulkanShim() = default;
};

using GetVulkanShim = VulkanShim* (*)();

}  // namespace dragoman::test
