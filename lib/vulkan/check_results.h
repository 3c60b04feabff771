// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "vulkan/shader.h"
#include "vulkan/tuning.h"

namespace dragoman::vulkan {

class Context;

// A kernel as a pipeline uses it.
struct KernelUse {
    const Shader* shader = nullptr;
    VariantKey key;
    std::span<const uint32_t> constants;
};

// "softmax(f16) 64": the shader with its types and constants.
std::string kernel_name(const KernelUse& use);
// The name with a fingerprint of the code, so that entries in files hold for this build only.
std::string kernel_key(const KernelUse& use);

// Identifies a kernel in this process.
struct KernelId {
    explicit KernelId(const KernelUse& use)
        : shader(use.shader), types(use.key.types), constants(use.constants.begin(), use.constants.end()) {}
    const Shader* shader;
    std::array<DType, 3> types;
    std::vector<uint32_t> constants;
    KernelUse use() const { return {shader, VariantKey(types[0], types[1], types[2]), constants}; }
    auto operator<=>(const KernelId&) const = default;
};

enum class CheckResult : uint8_t { unknown, right, wrong };

struct KernelFinding {
    CheckResult result = CheckResult::unknown;
    std::string text;  // what is wrong, or why nothing is known
};
// Runs a kernel on a small input. It must record with Checking::off.
using KernelCheck = std::function<KernelFinding(Context&, const KernelUse&)>;

// While one lives on a thread, the kernels that it uses are compiled ahead: no sentence waits for them.
class CompilesAhead {
public:
    CompilesAhead();
    ~CompilesAhead();
    CompilesAhead(const CompilesAhead&) = delete;
};

// The kernels that give right results with this device and driver. A check before their first use finds out, and a file
// next to the pipeline cache keeps it. Safe from any thread.
class CheckResults {
public:
    // trusting: every kernel counts as usable, and start() does nothing.
    CheckResults(std::filesystem::path path, bool trusting) : trusting_(trusting), kept_(std::move(path)) {}

    // Starts checking; until then every kernel counts as usable.
    void start(KernelCheck check);
    // Whether the kernel is usable; checks it if that is unknown. A wrong one is logged as a warning, once. Throws what
    // the check throws.
    bool is_usable(Context& context, const KernelUse& use);
    // Replaces the result of a kernel's check.
    void remember(const KernelUse& use, CheckResult result);
    void save() noexcept { kept_.save(); }
    void take(const CheckResults& other) { kept_.take(other.kept_); }  // before the first question

private:
    struct Entry {
        std::mutex mutex;  // one thread checks, others wait for it
        std::atomic<bool> checking = false;
        CheckResult result = CheckResult::unknown;
        bool asked = false;
    };
    Entry& entry(const KernelUse& use);

    const bool trusting_;
    KernelCheck check_;
    std::atomic<bool> started_ = false;
    std::mutex mutex_;
    std::map<KernelId, std::unique_ptr<Entry>> entries_;
    Tuning kept_;
};

}  // namespace dragoman::vulkan
