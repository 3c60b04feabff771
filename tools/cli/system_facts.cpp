// SPDX-License-Identifier: Apache-2.0
#include "system_facts.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "base/os/environment.h"
#include "base/os/library.h"
#include "base/os/machine.h"
#include "base/os/path_text.h"

namespace cli {
namespace {

namespace os = dragoman::os;

// tests/capi/doctor_test.cpp compares them with those that the library reads.
constexpr const char* kVariables[] = {
    "DRAGOMAN_AUTOTUNE", "DRAGOMAN_CACHE_DIR", "DRAGOMAN_CHECK_KERNELS", "DRAGOMAN_CHECK_ONLY", "DRAGOMAN_DEVICE",
    "DRAGOMAN_GPU_ASSISTED_VALIDATION", "DRAGOMAN_GPU_KERNELS", "DRAGOMAN_HANG_SECONDS", "DRAGOMAN_LOG",
    "DRAGOMAN_MIRROR_HF", "DRAGOMAN_MODEL", "DRAGOMAN_MODELS_DIR", "DRAGOMAN_NO_COOPERATIVE_MATRICES",
    "DRAGOMAN_OFFLINE", "DRAGOMAN_VALIDATION", "DRAGOMAN_VULKAN_LOADER",
                                      // of the Vulkan loader, of Mesa and of the system
    "VK_ICD_FILENAMES", "VK_DRIVER_FILES", "VK_LOADER_DRIVERS_SELECT", "VK_LOADER_DRIVERS_DISABLE",
    "VK_INSTANCE_LAYERS", "MESA_VK_DEVICE_SELECT", "LP_NUM_THREADS", "XDG_CACHE_HOME"};

VulkanLoader describe(void* library, void* entry) {
    VulkanLoader loader{.file = dragoman::text_of(os::file_of_address(entry)), .version = {}};
    using Enumerate = int32_t (*)(uint32_t*);
    uint32_t version = 0;
    const auto enumerate = reinterpret_cast<Enumerate>(os::find_symbol(library, "vkEnumerateInstanceVersion"));
    if (enumerate && enumerate(&version) == 0)
        loader.version = fmt::format("{}.{}.{}", version >> 22 & 0x7f, version >> 12 & 0x3ff, version & 0xfff);
    return loader;
}

}  // namespace

std::string system_text() {
    const std::string name = os::system_name();
    return name.empty() ? DRAGOMAN_BUILT_FOR : name + ", built for " DRAGOMAN_BUILT_FOR;
}

std::optional<VulkanLoader> vulkan_loader() {
    std::vector<std::string> names = {"libvulkan.so.1",  "libvulkan.so",      "vulkan-1.dll",
                                      "libvulkan.dylib", "libvulkan.1.dylib", "libMoltenVK.dylib"};
    if (const std::string named = os::environment("DRAGOMAN_VULKAN_LOADER"); !named.empty()) names = {named};
    for (const std::string& name : names) {
        std::string error;
        void* const library = os::load_library(dragoman::path_of(name), error);
        if (!library) continue;
        void* entry = os::find_symbol(library, "vkGetInstanceProcAddr");
        if (!entry) entry = os::find_symbol(library, "vk_icdGetInstanceProcAddr");
        if (entry) return describe(library, entry);
    }
    return {};
}

std::vector<std::pair<std::string, std::string>> set_variables() {
    std::vector<std::pair<std::string, std::string>> found;
    for (const char* name : kVariables)
        if (std::string value = os::environment(name); !value.empty()) found.emplace_back(name, std::move(value));
    return found;
}

std::string without_home(std::string text) {
    for (const char* name : {"HOME", "USERPROFILE"}) {
        const std::string home = os::environment(name);
        if (home.size() < 2) continue;  // "/" is part of every path
        for (std::size_t at = 0; (at = text.find(home, at)) != std::string::npos; ++at) {
            const std::size_t end = at + home.size();
            const bool ends = end == text.size() ||
                              std::string_view("/\\:;,\"' ").find(text[end]) != std::string_view::npos;
            if (ends) text.replace(at, home.size(), "~");
        }
    }
    return text;
}

}  // namespace cli
