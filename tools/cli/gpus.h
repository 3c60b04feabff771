// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cli {

// A graphics processor that the system has found, whether or not Vulkan has a driver for it.
struct Gpu {
    std::string maker;          // "NVIDIA", or the kernel's driver where the bus says nothing of a maker
    std::string id;             // vendor and device on the PCI bus, "10de:2330"; empty elsewhere
    std::string kernel_driver;  // empty: none has taken it
};

// From the files in which Linux describes its devices; none on other systems. Cards that only show a picture, such as
// those of virtual machines and of remote consoles, do not count.
std::vector<Gpu> gpus(const std::filesystem::path& sys = "/sys");

// Those of Linux's files for rendering that this user may not open.
std::vector<std::string> closed_render_nodes(const std::filesystem::path& dri = "/dev/dri");

}  // namespace cli
