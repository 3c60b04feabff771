// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "base/os/machine.h"
#include "support/system.h"
#include "support/temp_dir.h"

namespace machine_test {

using namespace dragoman;
using namespace dragoman::test;

namespace {

namespace fs = std::filesystem;

// Files as Linux has them for a device on the bus.
void write_pci(const TempDir& sys, const std::string& name, const char* kind, const char* vendor, const char* driver) {
    const fs::path folder = sys.path() / "bus/pci/devices" / name;
    fs::create_directories(folder);
    std::ofstream(folder / "class") << kind << '\n';
    std::ofstream(folder / "vendor") << vendor << '\n';
    std::ofstream(folder / "device") << "0x2330\n";
    if (driver) fs::create_directory_symlink("/sys/bus/pci/drivers/" + std::string(driver), folder / "driver");
}

}  // namespace

TEST_CASE("GPUs are found in Linux's files, without cards that only show a picture" * only_posix()) {
    const TempDir sys;
    CHECK(os::gpus(sys.path()).empty());
    write_pci(sys, "0000:00:02.0", "0x030000", "0x1234", "bochs-drm");  // a virtual machine's
    write_pci(sys, "0000:01:00.0", "0x030200", "0x10de", "nvidia");
    write_pci(sys, "0000:02:00.0", "0x020000", "0x8086", "e1000e");  // a network card
    write_pci(sys, "0000:03:00.0", "0x030000", "0x1002", nullptr);
    fs::create_directories(sys.path() / "class/drm/renderD128/device");
    fs::create_directory_symlink("/sys/bus/platform/drivers/v3d", sys.path() / "class/drm/renderD128/device/driver");
    const std::vector<os::Gpu> found = os::gpus(sys.path());
    REQUIRE(found.size() == 3);
    CHECK(found[0].maker == "NVIDIA");
    CHECK(found[0].id == "10de:2330");
    CHECK(found[0].kernel_driver == "nvidia");
    CHECK(found[1].maker == "AMD");
    CHECK(found[1].kernel_driver.empty());
    CHECK(found[2].maker == "v3d");
}

}  // namespace machine_test
