// SPDX-License-Identifier: Apache-2.0
#include "base/os/machine.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>

#include "base/os/file.h"

namespace dragoman::os {
namespace {

namespace fs = std::filesystem;

struct Maker {
    std::string_view id, name;
};
// Their cards compute. Others on the bus are those of virtual machines and of remote consoles.
constexpr std::array kMakers = {Maker{"0x10de", "NVIDIA"}, Maker{"0x1002", "AMD"}, Maker{"0x8086", "Intel"},
                                Maker{"0x1ed5", "Moore Threads"}};
constexpr std::array<std::string_view, 5> kWithoutGpu = {"vgem", "vkms", "virtio_gpu", "simpledrm",
                                                         "simple-framebuffer"};

std::string first_line(const fs::path& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

std::vector<fs::path> entries(const fs::path& folder) {
    std::vector<fs::path> found;
    list_names(folder, found);
    for (fs::path& name : found) name = folder / name;
    std::ranges::sort(found);
    return found;
}

std::string driver_of(const fs::path& device) {
    std::error_code none;
    const fs::path driver = fs::read_symlink(device / "driver", none);
    return none ? std::string() : driver.filename().string();
}

void add_pci(const fs::path& sys, std::vector<Gpu>& found) {
    constexpr std::string_view kDisplay = "0x03";  // the class of display controllers
    for (const fs::path& device : entries(sys / "bus/pci/devices")) {
        if (!first_line(device / "class").starts_with(kDisplay)) continue;
        const std::string vendor = first_line(device / "vendor"), id = first_line(device / "device");
        const auto* maker = std::ranges::find(kMakers, vendor, &Maker::id);
        if (maker == kMakers.end() || id.size() < 3) continue;
        found.push_back({std::string(maker->name), vendor.substr(2) + ":" + id.substr(2), driver_of(device)});
    }
}

// On a chip with its processor there is no bus that says who made a GPU.
void add_others(const fs::path& sys, std::vector<Gpu>& found) {
    for (const fs::path& node : entries(sys / "class/drm")) {
        std::error_code none;
        const fs::path device = node / "device";
        if (!node.filename().string().starts_with("renderD") || fs::exists(device / "vendor", none)) continue;
        const std::string driver = driver_of(device);
        if (driver.empty() || std::ranges::find(kWithoutGpu, driver) != kWithoutGpu.end()) continue;
        found.push_back({driver, "", driver});
    }
}

// A value of a file of lines like NAME="value".
std::string value_in(const char* path, std::string_view name) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != '=') continue;
        std::string value = line.substr(name.size() + 1);
        if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
        return value;
    }
    return {};
}

}  // namespace

std::string system_name() {
    std::string text = value_in("/etc/os-release", "PRETTY_NAME");
    const std::string kernel = first_line("/proc/sys/kernel/osrelease");
    if (!kernel.empty()) text += (text.empty() ? "kernel " : ", kernel ") + kernel;
    return text;
}

std::vector<std::string> loaded_libraries() {
    std::set<std::string> names;
    std::ifstream in("/proc/self/maps");
    for (std::string line; std::getline(in, line);) {
        const std::size_t slash = line.rfind('/');
        if (slash == std::string::npos) continue;
        const std::string name = line.substr(slash + 1);
        if (name.find(".so") != std::string::npos && name.find(' ') == std::string::npos) names.insert(name);
    }
    return {names.begin(), names.end()};
}

std::vector<Gpu> gpus(const fs::path& folder) {
    const fs::path sys = folder.empty() ? "/sys" : folder;
    std::vector<Gpu> found;
    add_pci(sys, found);
    add_others(sys, found);
    return found;
}

std::vector<std::string> closed_gpus() {
    std::vector<std::string> closed;
    for (const fs::path& node : entries("/dev/dri")) {
        if (!node.filename().string().starts_with("renderD")) continue;
        if (!std::ifstream(node)) closed.push_back(node.string());
    }
    return closed;
}

}  // namespace dragoman::os
