// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vulkan/pipelines.h"
#include "vulkan/check_results.h"

namespace dragoman::vulkan {

// The kernels that need more registers than this device has, as far as its driver says so
// (VK_KHR_pipeline_executable_properties); kept in a file next to the pipeline cache. Safe from any thread.
class Spills {
public:
    // `reported`: false where the driver says nothing.
    Spills(std::filesystem::path path, Pipelines& pipelines, bool reported)
        : pipelines_(pipelines), reported_(reported), kept_(std::move(path)) {}

    // Registers and bytes that the kernel keeps in memory, so 0 is best. Compiles the kernel if this is unknown;
    // kUncompiled where the driver refuses it. A kernel that spills is logged once.
    uint32_t of(const KernelUse& use);
    // The same without compiling: 0 where nothing is known.
    uint32_t known(const KernelUse& use);
    // Sets the figure as if the driver had reported it.
    void remember(const KernelUse& use, uint32_t spilled);
    void save() noexcept { kept_.save(); }
    void take(const Spills& other) { kept_.take(other.kept_); }  // before the first question

    static constexpr uint32_t kUncompiled = UINT32_MAX;

private:
    Pipelines& pipelines_;
    const bool reported_;
    std::atomic<bool> any_ = false;
    std::mutex mutex_;
    std::map<KernelId, uint32_t> amounts_;
    Tuning kept_;
};

}  // namespace dragoman::vulkan
