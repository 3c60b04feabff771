// SPDX-License-Identifier: Apache-2.0
// vulkan_faults [--stride N] [--first N] [--table FILE] [FAMILY...]: every Vulkan call of a program's life with a model
// fails once, with each error that Vulkan lets it return. Each time there must be a status that names the call, or the
// right answer; nothing may be left behind; and what is asked next must be answered, unless the device is lost, which is
// then said. --stride: every N-th fault only, from --first on. --table: adds a line of counts for each function.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <thread>
#include <utility>

#include "base/environment.h"
#include "base/os/library.h"
#include "base/os/path_text.h"
#include "faults/vulkan_session.h"
#include "faults/vulkan_shim.h"
#include "support/environment.h"

namespace dragoman::test {
namespace {

constexpr std::chrono::seconds kHang{300};

struct Counts {
    uint64_t injected = 0, told = 0, survived = 0, lost = 0;
};

std::string result_text(VkResult result) {
    switch (result) {
        case VK_ERROR_DEVICE_LOST: return "device lost";
        case VK_ERROR_OUT_OF_HOST_MEMORY: return "out of host memory";
        case VK_ERROR_OUT_OF_DEVICE_MEMORY: return "out of device memory";
        case VK_INCOMPLETE: return "incomplete";
        default: return std::to_string(result);
    }
}

class Faults {
public:
    Faults(VulkanShim& shim, uint64_t stride, uint64_t first) : shim_(shim), stride_(stride), next_(first) {
        std::thread([this] { watch(); }).detach();
    }

    // False: something was wrong. Adds to counts().
    bool run(const Family& family) {
        counts_.assign(shim_.calls().size(), {});
        wrong_ = 0;
        expected_.clear();
        const std::vector<uint64_t> calls = learn(family);
        if (wrong_) return false;
        for (std::size_t call = 0; call < calls.size(); ++call)
            for (uint64_t occurrence = 0; occurrence < calls[call]; ++occurrence)
                for (const VkResult result : shim_.calls()[call].results) {
                    if (next_++ % stride_) continue;
                    inject(family, {call, occurrence, result, next_ / stride_ % 2 == 0});
                }
        return wrong_ == 0;
    }
    // Functions that are called before there is an instance fail until one is made, which the process keeps.
    bool run_first(const Family& family) {
        counts_.assign(shim_.calls().size(), {});
        wrong_ = 0;
        for (std::size_t call = 0; call < shim_.calls().size(); ++call) {
            if (!std::strstr(shim_.calls()[call].name, "Instance")) continue;
            if (std::strstr(shim_.calls()[call].name, "Debug")) continue;
            for (uint64_t occurrence = 0; occurrence < 8; ++occurrence)
                for (const VkResult result : shim_.calls()[call].results)
                    if (result < 0) refuse_open(family, {call, occurrence, result});
        }
        return wrong_ == 0;
    }
    const std::vector<Counts>& counts() const { return counts_; }

private:
    void fail(const std::string& text) {
        ++wrong_;
        std::printf("WRONG %s: %s\n", now_.c_str(), text.c_str());
        std::fflush(stdout);
    }

    void note(const Family& family, const VulkanFault& fault) {
        const std::lock_guard lock(mutex_);
        now_ = std::string(family.name) + ", " + shim_.calls()[fault.call].name + " number " +
               std::to_string(fault.occurrence) + ": " + result_text(fault.result) + (fault.sticky ? " for good" : "");
        since_ = std::chrono::steady_clock::now();
        if (environment_flag("FAULTS_VERBOSE")) std::fprintf(stderr, "%s\n", now_.c_str());
    }

    void watch() {
        for (;;) {
            std::this_thread::sleep_for(std::chrono::seconds(5));
            const std::lock_guard lock(mutex_);
            if (now_.empty() || std::chrono::steady_clock::now() - since_ < kHang) continue;
            std::printf("WRONG %s: hangs\n", now_.c_str());
            std::fflush(stdout);
            std::_Exit(3);
        }
    }

    // How often each function is called where none fails; twice, so that the second finds all compiled.
    std::vector<uint64_t> learn(const Family& family) {
        std::vector<uint64_t> calls;
        for (int round = 0; round < 2; ++round) {
            note(family, {});
            shim_.arm({.occurrence = UINT64_MAX});
            Session session(family);
            expected_.assign(Session::kSteps, {});
            for (int i = 0; i < Session::kSteps; ++i) {
                const auto step = Session::Step(i);
                try {
                    if (session.has(step)) expected_[i] = session.run(step);
                } catch (const Error& error) {
                    fail(std::string("without a fault, ") + Session::name(step) + ": " + error.what());
                    return {};
                }
            }
            calls.clear();
            for (std::size_t i = 0; i < shim_.calls().size(); ++i) calls.push_back(shim_.count(i));
            shim_.disarm();
            if (const std::string leaks = shim_.leaks(); !leaks.empty()) fail("without a fault:" + leaks);
        }
        return calls;
    }

    bool names_call(const std::string& message, const VulkanFault& fault) const {
        const std::string call = shim_.calls()[fault.call].name;
        if (message.find(call) != std::string::npos) return true;
        if (fault.result == VK_ERROR_DEVICE_LOST)
            return message.find("VK_ERROR_DEVICE_LOST") != std::string::npos ||
                   message.find("was lost") != std::string::npos;
        return message.find("vmaCreate") != std::string::npos || message.find("has no room") != std::string::npos;
    }

    void inject(const Family& family, const VulkanFault& fault) {
        note(family, fault);
        shim_.arm(fault);
        Counts& counts = counts_[fault.call];
        Session session(family);
        bool told = false, lost = false;
        for (int i = 0; i < Session::kSteps; ++i) {
            const auto step = Session::Step(i);
            if (!session.has(step)) continue;
            for (int attempt = 0; attempt < 2; ++attempt) {
                const bool before = told;
                try {
                    const std::string answer = session.run(step);
                    if (answer != expected_[i]) fail(std::string(Session::name(step)) + ": another answer: " + answer);
                    break;
                } catch (const Error& error) {
                    if (lost || (before && error.status() == DRAGOMAN_DEVICE_LOST)) {
                        if (error.status() != DRAGOMAN_DEVICE_LOST)
                            fail(std::string(Session::name(step)) + " after the loss: " + error.what());
                        if (!may_lose(fault)) fail(std::string("lost for no reason: ") + error.what());
                        lost = true;
                        break;
                    }
                    if (!shim_.struck()) fail(std::string("before the fault, ") + Session::name(step) + error.what());
                    else if (before) fail(std::string("again, ") + Session::name(step) + ": " + error.what());
                    else if (!names_call(error.what(), fault))
                        fail(std::string(Session::name(step)) + " does not name the call: " + error.what());
                    told = true;
                }
            }
            if (lost) break;  // nothing more can be asked of it
            if (!session.is_open() && step == Session::open) break;
        }
        session.run(Session::close);
        if (shim_.disarm()) {
            ++counts.injected;
            ++(lost ? counts.lost : told ? counts.told : counts.survived);
        }
        if (const std::string leaks = shim_.leaks(); leaks != known_leaks_) {
            fail("left:" + leaks);
            known_leaks_ = leaks;
        }
    }

    // Uploads travel with submissions: nobody could tell which were lost.
    bool may_lose(const VulkanFault& fault) const {
        const std::string_view call = shim_.calls()[fault.call].name;
        return fault.result == VK_ERROR_DEVICE_LOST || call == "vkQueueSubmit" || call == "vkEndCommandBuffer";
    }

    void refuse_open(const Family& family, const VulkanFault& fault) {
        note(family, fault);
        shim_.arm(fault);
        Session session(family);
        std::string message;
        try {
            session.run(Session::open);
        } catch (const Error& error) {
            message = error.what();
        }
        if (!shim_.disarm()) return;
        Counts& counts = counts_[fault.call];
        ++counts.injected;
        ++(message.empty() ? counts.survived : counts.told);
        const bool no_driver = fault.result == VK_ERROR_INCOMPATIBLE_DRIVER;
        if (!message.empty() && !no_driver && !names_call(message, fault)) fail("does not name the call: " + message);
    }

    VulkanShim& shim_;
    const uint64_t stride_;
    uint64_t next_ = 0, wrong_ = 0;
    std::vector<std::string> expected_;
    std::vector<Counts> counts_;
    std::string known_leaks_;
    std::mutex mutex_;  // for the two below
    std::string now_;
    std::chrono::steady_clock::time_point since_;
};

void add_to_table(const std::string& path, std::string_view family, const VulkanShim& shim,
                  const std::vector<Counts>& counts) {
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
    uint64_t stride = 1, first = 0;
    std::string table;
    std::vector<std::string_view> wanted;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        const bool valued = argument.starts_with("--");
        if (valued && i + 1 == argc) return std::fprintf(stderr, "%s: no value\n", argv[i]), 2;
        if (argument == "--stride") stride = std::strtoull(argv[++i], nullptr, 10);
        else if (argument == "--first") first = std::strtoull(argv[++i], nullptr, 10);
        else if (argument == "--table") table = argv[++i];
        else if (valued) return std::fprintf(stderr, "%s: unknown\n", argv[i]), 2;
        else wanted.push_back(argument);
    }
    VulkanShim& shim = load_shim();
    const Logger quiet([](int32_t, const char*) {}, DRAGOMAN_LOG_WARNING);
    Faults faults(shim, stride, first);
    bool right = faults.run_first(kFamilies[0]);
    if (!table.empty()) add_to_table(table, "first", shim, faults.counts());
    for (const Family& family : kFamilies) {
        if (!wanted.empty() && std::ranges::find(wanted, family.name) == wanted.end()) continue;
        if (wanted.empty() && (family.gpu_kernels || family.fresh)) continue;
        set_environment("DRAGOMAN_GPU_KERNELS", family.gpu_kernels ? "1" : "");
        const auto begin = std::chrono::steady_clock::now();
        right &= faults.run(family);
        Counts sum;
        for (const Counts& counts : faults.counts()) {
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
        if (!table.empty()) add_to_table(table, family.name, shim, faults.counts());
    }
    return right ? 0 : 1;
}

}  // namespace
}  // namespace dragoman::test

int main(int argc, char** argv) { return dragoman::test::run(argc, argv); }
