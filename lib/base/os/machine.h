// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

// What the system says of itself and of the machine, for reports.
namespace dragoman::os {

// For people: "Debian GNU/Linux 12 (bookworm), kernel 6.1.0"; empty: it does not say.
std::string system_name();

// File names, with versions where these have them, of the libraries that the process has loaded; none: it does not say.
std::vector<std::string> loaded_libraries();

// A graphics processor that the system has found, whether or not Vulkan has a driver for it.
struct Gpu {
    std::string maker;  // "NVIDIA", or the kernel's driver where the bus says nothing of a maker
    std::string id;  // vendor and device on the PCI bus, "10de:2330"; empty elsewhere
    std::string kernel_driver;  // empty: none has taken it
};

// Those of the machine, without cards that only show a picture, such as those of virtual machines and of remote consoles;
// none where the system does not say. `folder`: where Linux describes devices; empty: the usual one.
std::vector<Gpu> gpus(const std::filesystem::path& folder = {});

// Files through which programs use GPUs, and which this user may not open.
std::vector<std::string> closed_gpus();

}  // namespace dragoman::os
