// SPDX-License-Identifier: Apache-2.0
#include "vulkan/instance.h"

#include <array>
#include <cstring>
#include <mutex>
#include <vector>

#include "base/environment.h"
#include "base/error.h"
#include "base/log.h"
#include "base/os/fork.h"
#include "base/per_process.h"
#include "vulkan/enumerate.h"
#include "vulkan/loader.h"
#include "vulkan/result.h"
#include "vulkan/validation.h"

namespace dragoman::vulkan {
namespace {

bool offers_layer(const char* name) {
    for (const VkLayerProperties& layer :
         enumerate<VkLayerProperties>("vkEnumerateInstanceLayerProperties", vkEnumerateInstanceLayerProperties))
        if (std::strcmp(layer.layerName, name) == 0) return true;
    return false;
}

bool offers_extension(const char* layer, const char* name) {
    const auto list = [&](uint32_t* count, VkExtensionProperties* extensions) {
        return vkEnumerateInstanceExtensionProperties(layer, count, extensions);
    };
    for (const VkExtensionProperties& extension :
         enumerate<VkExtensionProperties>("vkEnumerateInstanceExtensionProperties", list))
        if (std::strcmp(extension.extensionName, name) == 0) return true;
    return false;
}

// Instances are never destroyed: a driver that is unloaded and loaded again does not give everything back, and
// NVIDIA's refuses after some dozen times in a process. They also stay at exit, since drivers may be gone before
// static objects are. A forked process makes its own.
struct Instances {
    std::mutex mutex;
    std::array<std::shared_ptr<Instance>, 2> alive;
};

Instances& instances() {
    static auto& all = *new PerProcess<Instances>();
    return all.get();
}

}  // namespace

std::shared_ptr<Instance> Instance::shared(bool validation) {
    const std::shared_ptr<Instance> instance(new Instance());  // one that fails takes the lock at its end
    Instances& all = instances();
    const std::lock_guard lock(all.mutex);
    std::shared_ptr<Instance>& slot = all.alive[validation];
    if (slot) return slot;
    os::keep_places_of_parent_threads();
    if (!instance->create(validation)) return nullptr;
    slot = instance;
    return slot;
}

std::shared_ptr<Instance> Instance::adopt(const ExternalDevice& device) {
    if (!device.instance) fail(Status::invalid_argument, "instance: expected the app's VkInstance, got null");
    auto get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(device.get_instance_proc_addr);
    if (!get) {
        load_vulkan();
        get = vkGetInstanceProcAddr;
    }
    std::shared_ptr<Instance> instance(new Instance());
    instance->handle_ = static_cast<VkInstance>(device.instance);
    instance->api_version_ = device.api_version;
    instance->table_.load(get, instance->handle_);
    return instance;
}

bool Instance::create(bool validation) {
    load_vulkan();
    if (validation && !offers_layer(kValidationLayer)) {
        log(LogLevel::warning, "validation was asked for, but the layer {} is not installed", kValidationLayer);
        validation = false;
    }
    std::vector<const char*> layers, extensions;
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    debug_utils_ = offers_extension(nullptr, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) ||
                   (validation && offers_extension(kValidationLayer, VK_EXT_DEBUG_UTILS_EXTENSION_NAME));
    if (debug_utils_) extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    if (offers_extension(nullptr, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME)) {
        extensions.push_back(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
        info.flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
    }

    const VkDebugUtilsMessengerCreateInfoEXT messenger = validation_messenger_info();
    // GPU-assisted validation takes many times as long, so only one of the two is on.
    const VkValidationFeatureEnableEXT enabled[] = {environment_flag("DRAGOMAN_GPU_ASSISTED_VALIDATION")
                                                        ? VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT
                                                        : VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
    features.enabledValidationFeatureCount = 1;
    features.pEnabledValidationFeatures = enabled;
    if (validation) {
        layers.push_back(kValidationLayer);
        if (debug_utils_) info.pNext = &messenger;
        if (offers_extension(kValidationLayer, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME)) {
            extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
            features.pNext = info.pNext;
            info.pNext = &features;
        }
    }

    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.pEngineName = "dragoman";
    application.apiVersion = api_version_;
    info.pApplicationInfo = &application;
    info.enabledLayerCount = static_cast<uint32_t>(layers.size());
    info.ppEnabledLayerNames = layers.data();
    info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    const VkResult result = vkCreateInstance(&info, nullptr, &handle_);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER) return false;
    vk_check(result, "vkCreateInstance");
    owned_ = true;
    table_.load(vkGetInstanceProcAddr, handle_);

    if (validation && debug_utils_) {
        const auto create = function<PFN_vkCreateDebugUtilsMessengerEXT>("vkCreateDebugUtilsMessengerEXT");
        VkDebugUtilsMessengerEXT created = VK_NULL_HANDLE;
        vk_check(create(handle_, &messenger, nullptr, &created), "vkCreateDebugUtilsMessengerEXT");
        messenger_ = created;
    }
    return true;
}

Instance::~Instance() {
    if (!owned_) return;
    const std::lock_guard lock(instances().mutex);
    if (messenger_)
        function<PFN_vkDestroyDebugUtilsMessengerEXT>("vkDestroyDebugUtilsMessengerEXT")(handle_, messenger_, nullptr);
    table_.vkDestroyInstance(handle_, nullptr);
}

}  // namespace dragoman::vulkan
