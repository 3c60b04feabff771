// SPDX-License-Identifier: Apache-2.0
// vulkan_faults [--stride N] [--first N] [--keep N] [--call NAME] [--table FILE] [FAMILY...]: every Vulkan call of a
// program's life with a model fails once, with each error that Vulkan lets it return. Each time there must be a status
// that names the call, or the right answer; nothing may be left behind; and what is asked next must be answered, unless
// the device is lost, which is then said. --stride: every N-th fault only, from --first on. --keep: the device and
// another model on it stay for N faults, or until it is lost, so that only what happens from loading to unloading fails,
// many times as fast. --call: of this function only. --table: adds a line of counts for each function.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "base/os/library.h"
#include "base/os/path_text.h"
#include "faults/vulkan_injector.h"
#include "support/environment.h"

namespace dragoman::test {
namespace {

void add_to_table(const std::string& path, std::string_view family, const VulkanShim& shim,
                  const std::vector<FaultCounts>& counts) {
    std::ofstream table(path, std::ios::app);
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i].injected)
            table << family << '\t' << shim.calls()[i].name << '\t' << counts[i].injected << '\t' << counts[i].told
                  << '\t' << counts[i].survived << '\t' << counts[i].lost << '\n';
}

VulkanShim& load_shim() {
    set_environment("DRAGOMAN_VULKAN_LOADER", DRAGOMAN_VULKAN_SHIM);
    std::string error;
    void* library = os::load_library(path_of(DRAGOMAN_VULKAN_SHIM), error);
    if (!library) {
        std::fprintf(stderr, "%s\n", error.c_str());
        std::exit(2);
    }
    return *reinterpret_cast<GetVulkanShim>(os::find_symbol(library, "vulkan_shim"))();
}

int run(int argc, char** argv) {
    uint64_t stride = 1, first = 0, keep = 0;
    std::string table;
    std::string_view only;
    std::vector<std::string_view> wanted;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        const bool valued = argument.starts_with("--");
        if (valued && i + 1 == argc) return std::fprintf(stderr, "%s: no value\n", argv[i]), 2;
        if (argument == "--stride") stride = std::strtoull(argv[++i], nullptr, 10);
        else if (argument == "--first") first = std::strtoull(argv[++i], nullptr, 10);
        else if (argument == "--keep") keep = std::strtoull(argv[++i], nullptr, 10);
        else if (argument == "--call") only = argv[++i];
        else if (argument == "--table") table = argv[++i];
        else if (valued) return std::fprintf(stderr, "%s: unknown\n", argv[i]), 2;
        else wanted.push_back(argument);
    }
    VulkanShim& shim = load_shim();
    static VulkanInjector faults(shim, stride, first, keep, only);  // its thread stays
    const Logger logger([](int32_t, const char* line) { faults.hear(line); }, DRAGOMAN_LOG_WARNING);
    bool right = !only.empty() || faults.run_first(kFamilies[0]);
    if (!table.empty() && only.empty()) add_to_table(table, "first", shim, faults.counts());
    for (const Family& family : kFamilies) {
        if (!wanted.empty() && std::ranges::find(wanted, family.name) == wanted.end()) continue;
        if (wanted.empty() && (family.gpu_kernels || family.fresh)) continue;
        set_environment("DRAGOMAN_GPU_KERNELS", family.gpu_kernels ? "1" : "");
        const auto begin = std::chrono::steady_clock::now();
        right &= faults.run(family);
        FaultCounts sum;
        for (const FaultCounts& counts : faults.counts()) {
            sum.injected += counts.injected;
            sum.told += counts.told;
            sum.survived += counts.survived;
            sum.lost += counts.lost;
        }
        std::printf("%s: %llu faults: %llu told, %llu survived, %llu lost the device; %.0f s\n", family.name.data(),
                    (unsigned long long)sum.injected, (unsigned long long)sum.told, (unsigned long long)sum.survived,
                    (unsigned long long)sum.lost,
                    std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        std::fflush(stdout);
        if (!table.empty())
            add_to_table(table, std::string(family.name) + (keep ? ", kept" : ""), shim, faults.counts());
    }
    return right ? 0 : 1;
}

}  // namespace
}  // namespace dragoman::test

int main(int argc, char** argv) { return dragoman::test::run(argc, argv); }
