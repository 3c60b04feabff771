// SPDX-License-Identifier: Apache-2.0
// A Vulkan loader whose drivers are wrong on purpose, for tests of the kernel check. DRAGOMAN_VULKAN_LOADER names this
// library; it hands everything on to the system's loader, and changes the code of shaders that
// DRAGOMAN_BROKEN_KERNELS="matmul_texel=product softmax=nan" names ("*": all) before a driver gets it (broken_code.h).
// "softmax=stuck": a compiler that takes ten minutes.
#include <vulkan/vulkan.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/environment.h"
#include "base/os/library.h"
#include "broken_driver/broken_code.h"
#include "spv.h"
#include "vulkan/cache_file.h"

namespace dragoman::test {
namespace {

struct Next {
    PFN_vkCreateDevice create_device = nullptr;
    PFN_vkGetPhysicalDeviceProperties2 properties = nullptr;
    PFN_vkGetDeviceProcAddr device_function = nullptr;
};
std::mutex mutex;  // for all below
Next next;
std::map<VkDevice, uint32_t> subgroup_sizes;

#ifdef _WIN32
constexpr const char* kSystemLoader = "vulkan-1.dll";
#else
constexpr const char* kSystemLoader = "libvulkan.so.1";
#endif

PFN_vkGetInstanceProcAddr system_loader() {
    static const auto function = [] {
        std::string error;
        void* library = os::load_library(kSystemLoader, error);
        if (!library) std::fprintf(stderr, "broken_driver: %s\n", error.c_str());
        return library ? reinterpret_cast<PFN_vkGetInstanceProcAddr>(os::find_symbol(library, "vkGetInstanceProcAddr"))
                       : nullptr;
    }();
    return function;
}

bool is_code_of(const vulkan::Shader& shader, uint64_t hash) {
    return std::ranges::any_of(shader.variants,
                               [&](const vulkan::ShaderVariant& variant) { return variant.code.hash == hash; });
}

bool is_named(std::string_view name, uint64_t hash) {
    return name == "*" || std::ranges::any_of(spv::all, [&](const vulkan::Shader* shader) {
               return shader->name == name && is_code_of(*shader, hash);
           });
}

// The fault that DRAGOMAN_BROKEN_KERNELS names for a module.
std::optional<std::string> fault_of(std::span<const uint32_t> code) {
    const std::string all = environment("DRAGOMAN_BROKEN_KERNELS");
    const uint64_t hash = all.empty() ? 0 : vulkan::fnv1a(code.data(), code.size_bytes());
    for (std::string_view rest = all; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(rest.size(), word.size() + 1));
        const std::size_t equals = word.find('=');
        if (equals != std::string_view::npos && is_named(word.substr(0, equals), hash))
            return std::string(word.substr(equals + 1));
    }
    return std::nullopt;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* allocator, VkDevice* device) {
    const std::lock_guard lock(mutex);
    const VkResult result = next.create_device(physical, info, allocator, device);
    if (result != VK_SUCCESS) return result;
    VkPhysicalDeviceSubgroupProperties subgroup{};
    subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
    VkPhysicalDeviceProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &subgroup;
    next.properties(physical, &properties);
    subgroup_sizes[*device] = subgroup.subgroupSize;
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice device, const VkShaderModuleCreateInfo* info,
                                             const VkAllocationCallbacks* allocator, VkShaderModule* module) {
    std::unique_lock lock(mutex);
    const auto create =
        reinterpret_cast<PFN_vkCreateShaderModule>(next.device_function(device, "vkCreateShaderModule"));
    const std::span code(info->pCode, info->codeSize / sizeof(uint32_t));
    const auto fault = fault_of(code);
    if (!fault) return create(device, info, allocator, module);
    if (*fault == "stuck") {
        lock.unlock();
        std::fprintf(stderr, "stuck\n");
        std::this_thread::sleep_for(std::chrono::minutes(10));
        return create(device, info, allocator, module);
    }
    if (!is_fault(*fault)) {
        std::fprintf(stderr, "DRAGOMAN_BROKEN_KERNELS: expected product, nan, shuffle, half or stuck, got %s\n",
                     fault->c_str());
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    const std::vector<uint32_t> broken = broken_code(code, *fault, subgroup_sizes.at(device));
    VkShaderModuleCreateInfo changed = *info;
    changed.codeSize = broken.size() * sizeof(uint32_t);
    changed.pCode = broken.data();
    return create(device, &changed, allocator, module);
}

template <class Function>
PFN_vkVoidFunction as_void(Function function) {
    return reinterpret_cast<PFN_vkVoidFunction>(function);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name) {
    const std::string_view wanted = name;
    if (wanted == "vkGetDeviceProcAddr") return as_void(device_function);
    if (wanted == "vkCreateShaderModule") return as_void(create_module);
    return next.device_function(device, name);
}

template <class Function>
void keep(Function& place, VkInstance instance, const char* name) {
    place = reinterpret_cast<Function>(system_loader()(instance, name));
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance instance, const char* name) {
    if (!system_loader()) return nullptr;
    const std::string_view wanted = name;
    if (wanted == "vkGetInstanceProcAddr") return as_void(instance_function);
    if (!instance) return system_loader()(instance, name);
    if (wanted == "vkCreateDevice") {
        const std::lock_guard lock(mutex);
        keep(next.create_device, instance, "vkCreateDevice");
        keep(next.properties, instance, "vkGetPhysicalDeviceProperties2");
        keep(next.device_function, instance, "vkGetDeviceProcAddr");
        return as_void(create_device);
    }
    if (wanted == "vkGetDeviceProcAddr") return as_void(device_function);
    if (wanted == "vkCreateShaderModule") return as_void(create_module);
    return system_loader()(instance, name);
}

}  // namespace
}  // namespace dragoman::test

#ifdef _WIN32
#define BROKEN_DRIVER_EXPORT __declspec(dllexport)
#else
#define BROKEN_DRIVER_EXPORT
#endif

extern "C" BROKEN_DRIVER_EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance,
                                                                                               const char* name) {
    return dragoman::test::instance_function(instance, name);
}
