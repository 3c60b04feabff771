// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cli {

// For people: "Debian GNU/Linux 12 (bookworm), kernel 6.1.0, x86_64". What the system does not say is left out.
std::string system_text();

struct VulkanLoader {
    std::string file;     // empty: unknown
    std::string version;  // of Vulkan; empty: it does not say
};
// The one that the library takes; none: there is none, or none that can be loaded.
std::optional<VulkanLoader> vulkan_loader();

// Variables of the environment that change what the library does, which are set, with their values.
std::vector<std::pair<std::string, std::string>> set_variables();

// The text with the user's folder as ~.
std::string without_home(std::string text);

}  // namespace cli
