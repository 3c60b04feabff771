// SPDX-License-Identifier: Apache-2.0
#include "vulkan/loader.h"

#include <string>

#include "base/environment.h"
#include "base/error.h"
#include "base/os/library.h"
#include "base/os/path_text.h"
#include "vulkan/api.h"
#include "vulkan/result.h"

namespace dragoman::vulkan {
namespace {

PFN_vkGetInstanceProcAddr open_library(const std::string& path) {
    std::string error;
    void* library = os::load_library(path_of(path), error);
    if (!library) fail(Status::no_device, "DRAGOMAN_VULKAN_LOADER={}: {}", path, error);
    void* symbol = os::find_symbol(library, "vkGetInstanceProcAddr");
    if (!symbol) symbol = os::find_symbol(library, "vk_icdGetInstanceProcAddr");
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
    uint32_t version = VK_API_VERSION_1_0;
    if (vkEnumerateInstanceVersion) vk_check(vkEnumerateInstanceVersion(&version), "vkEnumerateInstanceVersion");
    if (!vkCreateInstance || version < VK_API_VERSION_1_2)
        fail(Status::no_device, "the Vulkan loader is older than Vulkan 1.2");
    return true;
}

}  // namespace

void load_vulkan() { [[maybe_unused]] static const bool loaded = load_once(); }

}  // namespace dragoman::vulkan
