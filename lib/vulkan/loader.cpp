// SPDX-License-Identifier: Apache-2.0
#include "vulkan/loader.h"

#include <string>

#include "base/environment.h"
#include "base/error.h"
#include "vulkan/api.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace dragoman::vulkan {
namespace {

// The library is never closed: drivers leave threads and thread-local destructors behind.
PFN_vkGetInstanceProcAddr open_library(const std::string& path) {
#ifdef _WIN32
    HMODULE library = LoadLibraryA(path.c_str());
    if (!library) fail(Status::no_device, "DRAGOMAN_VULKAN_LOADER={}: cannot load this library", path);
    void* symbol = reinterpret_cast<void*>(GetProcAddress(library, "vkGetInstanceProcAddr"));
    if (!symbol) symbol = reinterpret_cast<void*>(GetProcAddress(library, "vk_icdGetInstanceProcAddr"));
#else
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) fail(Status::no_device, "DRAGOMAN_VULKAN_LOADER={}: {}", path, dlerror());
    void* symbol = dlsym(library, "vkGetInstanceProcAddr");
    if (!symbol) symbol = dlsym(library, "vk_icdGetInstanceProcAddr");
#endif
    if (!symbol) fail(Status::no_device, "DRAGOMAN_VULKAN_LOADER={}: not a Vulkan loader", path);
    return reinterpret_cast<PFN_vkGetInstanceProcAddr>(symbol);
}

bool load_once() {
    const std::string path = environment("DRAGOMAN_VULKAN_LOADER");
    if (!path.empty()) {
        volkInitializeCustom(open_library(path));
    } else if (volkInitialize() != VK_SUCCESS) {
        fail(Status::no_device,
             "no Vulkan loader found: install the package that holds it (libvulkan1, vulkan-loader, or a graphics "
             "driver)");
    }
    if (!vkCreateInstance || volkGetInstanceVersion() < VK_API_VERSION_1_2)
        fail(Status::no_device, "the Vulkan loader is older than Vulkan 1.2");
    return true;
}

}  // namespace

void load_vulkan() {
    [[maybe_unused]] static const bool loaded = load_once();
}

}  // namespace dragoman::vulkan
