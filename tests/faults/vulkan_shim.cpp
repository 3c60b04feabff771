// SPDX-License-Identifier: Apache-2.0
#include "faults/vulkan_shim_state.h"

#include <cstdio>
#include <cstring>
#include <mutex>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/os/library.h"

namespace dragoman::test {
namespace {

#ifdef _WIN32
constexpr const char* kSystemLoader = "vulkan-1.dll";
#else
constexpr const char* kSystemLoader = "libvulkan.so.1";
#endif

Shim shim;

PFN_vkGetInstanceProcAddr system_loader() {
    static const auto function = [] {
        std::string error;
        void* library = os::load_library(kSystemLoader, error);
        if (!library) std::fprintf(stderr, "vulkan_shim: %s\n", error.c_str());
        return library ? reinterpret_cast<PFN_vkGetInstanceProcAddr>(os::find_symbol(library, "vkGetInstanceProcAddr"))
                       : nullptr;
    }();
    return function;
}

template <class T>
inline constexpr bool is_handle_output = false;
template <class T>
inline constexpr bool is_handle_output<T**> = std::is_class_v<T> && !std::is_const_v<T>;

// What Vulkan leaves undefined after a failure is garbage here; use of it crashes.
template <class T>
void poison(T* out) {
    if constexpr (std::is_pointer_v<T>) *out = reinterpret_cast<T>(uintptr_t(0xdead0dea));
}

template <std::size_t Call, class Function>
struct Hook;

template <std::size_t Call, class... Arguments>
struct Hook<Call, VkResult(VKAPI_PTR*)(Arguments...)> {
    using Function = VkResult(VKAPI_PTR*)(Arguments...);
    using All = std::tuple<Arguments...>;
    static constexpr std::size_t kCount = sizeof...(Arguments);
    using Last = std::tuple_element_t<kCount - 1, All>;
    // vkEnumerate...(..., uint32_t* count, Thing* things)
    static constexpr bool kLists = [] {
        if constexpr (kCount < 2) return false;
        else {
            using Count = std::tuple_element_t<kCount - 2, All>;
            return std::is_same_v<Count, uint32_t*> || std::is_same_v<Count, size_t*>;
        }
    }();
    static constexpr bool kMakesOne = Call != k_vkAllocateCommandBuffers && Call != k_vkAllocateDescriptorSets &&
                                      Call != k_vkEnumeratePhysicalDevices && Call != k_vkCreateComputePipelines;

    static VKAPI_ATTR VkResult VKAPI_CALL call(Arguments... arguments) {
        const All all(arguments...);
        const Last out = std::get<kCount - 1>(all);
        bool may_be_incomplete = false;
        if constexpr (kLists) may_be_incomplete = out && *std::get<kCount - 2>(all) > 0;
        const VkResult wanted = shim.wanted(Call, may_be_incomplete);
        if (wanted < 0) {
            if (wanted == VK_ERROR_DEVICE_LOST) end_work();
            fail(all);
            return wanted;
        }
        if (wanted == VK_TIMEOUT || wanted == VK_NOT_READY) return wanted;
        if constexpr (kLists)
            if (wanted == VK_INCOMPLETE) --*std::get<kCount - 2>(all);
        const VkResult result = reinterpret_cast<Function>(shim.next[Call].load())(arguments...);
        if constexpr (is_handle_output<Last>) {
            if (result == VK_SUCCESS && kMakesOne) shim.made(Call, *out);
            if constexpr (Call == k_vkCreateComputePipelines)
                for (uint32_t i = 0; i < std::get<2>(all); ++i)
                    if (result == VK_SUCCESS) shim.made(Call, out[i]);
        }
        return wanted == VK_INCOMPLETE && result == VK_SUCCESS ? wanted : result;
    }

    // A lost device does nothing any more.
    static void end_work() {
        const auto wait = reinterpret_cast<PFN_vkDeviceWaitIdle>(shim.next[k_vkDeviceWaitIdle].load());
        if (const auto device = shim.device(); device && wait) wait(device);
    }

    // These functions say what they leave behind.
    static void fail(const All& all) {
        const Last out = std::get<kCount - 1>(all);
        if constexpr (Call == k_vkCreateComputePipelines)
            for (uint32_t i = 0; i < std::get<2>(all); ++i) out[i] = VK_NULL_HANDLE;
        else if constexpr (Call == k_vkAllocateCommandBuffers)
            for (uint32_t i = 0; i < std::get<1>(all)->commandBufferCount; ++i) out[i] = VK_NULL_HANDLE;
        else if constexpr (Call == k_vkAllocateDescriptorSets)
            for (uint32_t i = 0; i < std::get<1>(all)->descriptorSetCount; ++i) out[i] = VK_NULL_HANDLE;
        else if constexpr (is_handle_output<Last> && kMakesOne) poison(out);
    }
};

template <class Function>
struct DestroyHook;

template <class Owner, class Handle>
struct DestroyHook<void(VKAPI_PTR*)(Owner, Handle, const VkAllocationCallbacks*)> {
    using Function = void(VKAPI_PTR*)(Owner, Handle, const VkAllocationCallbacks*);
    template <const char* const& Name, Function& Next>
    static VKAPI_ATTR void VKAPI_CALL call(Owner owner, Handle handle, const VkAllocationCallbacks* callbacks) {
        shim.destroyed(Name, handle, false);
        Next(owner, handle, callbacks);
    }
};

template <class Handle>
struct DestroyHook<void(VKAPI_PTR*)(Handle, const VkAllocationCallbacks*)> {
    using Function = void(VKAPI_PTR*)(Handle, const VkAllocationCallbacks*);
    template <const char* const& Name, Function& Next>
    static VKAPI_ATTR void VKAPI_CALL call(Handle handle, const VkAllocationCallbacks* callbacks) {
        shim.destroyed(Name, handle, std::is_same_v<Handle, VkInstance>);
        Next(handle, callbacks);
    }
};

#define CALL(name, ...)
#define DESTROY(name)                      \
    const char* const text_##name = #name; \
    PFN_##name next_##name = nullptr;
#include "vulkan_calls.inc"
#undef CALL
#undef DESTROY

// The hook for a function that was found as `found`. `instance`: the loader's functions for it fit every device.
PFN_vkVoidFunction hooked(std::string_view wanted, VkInstance instance, PFN_vkVoidFunction found) {
    if (!found) return nullptr;
    const auto next_of = [&](const char* name) {
        const PFN_vkVoidFunction general = system_loader()(instance, name);
        return general ? general : found;
    };
#define CALL(name, ...)                                                                 \
    if (wanted == #name) {                                                              \
        shim.next[k_##name] = next_of(#name);                                           \
        return reinterpret_cast<PFN_vkVoidFunction>(&Hook<k_##name, PFN_##name>::call); \
    }
#define DESTROY(name)                                                                                          \
    if (wanted == #name) {                                                                                     \
        next_##name = reinterpret_cast<PFN_##name>(next_of(#name));                                            \
        return reinterpret_cast<PFN_vkVoidFunction>(&DestroyHook<PFN_##name>::call<text_##name, next_##name>); \
    }
#include "vulkan_calls.inc"
#undef CALL
#undef DESTROY
    return found;
}

std::mutex mutex;  // for the two below
VkInstance last_instance = VK_NULL_HANDLE;
PFN_vkGetDeviceProcAddr next_device_function = nullptr;

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name) {
    const std::lock_guard lock(mutex);
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) return reinterpret_cast<PFN_vkVoidFunction>(device_function);
    return hooked(name, last_instance, next_device_function(device, name));
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance instance, const char* name) {
    if (!system_loader()) return nullptr;
    const std::lock_guard lock(mutex);
    if (std::strcmp(name, "vkGetInstanceProcAddr") == 0) return reinterpret_cast<PFN_vkVoidFunction>(instance_function);
    const PFN_vkVoidFunction found = system_loader()(instance, name);
    if (instance && std::strcmp(name, "vkGetDeviceProcAddr") == 0) {
        last_instance = instance;
        next_device_function = reinterpret_cast<PFN_vkGetDeviceProcAddr>(found);
        return reinterpret_cast<PFN_vkVoidFunction>(device_function);
    }
    return hooked(name, instance, found);
}

}  // namespace
}  // namespace dragoman::test

#ifdef _WIN32
#define SHIM_EXPORT __declspec(dllexport)
#else
#define SHIM_EXPORT __attribute__((visibility("default")))
#endif

extern "C" SHIM_EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance,
                                                                                      const char* name) {
    return dragoman::test::instance_function(instance, name);
}

extern "C" SHIM_EXPORT dragoman::test::VulkanShim* vulkan_shim() { return &dragoman::test::shim; }
