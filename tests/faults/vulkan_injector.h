// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "faults/vulkan_session.h"
#include "faults/vulkan_shim.h"

namespace dragoman::test {

// What came of the faults in one function.
struct FaultCounts {
    uint64_t injected = 0, told = 0, survived = 0, lost = 0;
};

// Lets calls of a session fail, and looks at what comes of it. Whatever is wrong is printed.
class VulkanInjector {
public:
    // Every `stride`-th fault from `first` on, of the function `only` if that is not empty; `keep`: so many faults, one
    // after the other, in one open device; 0: none.
    VulkanInjector(VulkanShim& shim, uint64_t stride, uint64_t first, uint64_t keep, std::string_view only);

    // False: something was wrong.
    bool run(const Family& family);
    // Functions that are called before there is an instance fail until one is made, which the process keeps.
    bool run_first(const Family& family);
    const std::vector<FaultCounts>& counts() const { return counts_; }  // of the last run
    // A line of the library's log: the validation layer, where it is on, must find nothing after a fault either.
    void hear(const char* line);

private:
    void fail(const std::string& text);
    void note(const Family& family, const VulkanFault& fault);
    void watch();
    std::vector<uint64_t> learn(const Family& family);
    void open(const Family& family);
    void close(bool now);
    void inject(const Family& family, const VulkanFault& fault);
    void refuse_open(const Family& family, const VulkanFault& fault);
    bool names_call(const std::string& message, const VulkanFault& fault) const;
    bool may_lose(const VulkanFault& fault) const;
    void fail_for_validation();
    // The steps in which calls fail.
    Session::Step begin() const { return keep_ ? Session::load : Session::open; }
    Session::Step end() const { return keep_ ? Session::close : Session::kSteps; }

    VulkanShim& shim_;
    const uint64_t stride_, keep_;
    const std::string only_;
    uint64_t next_ = 0, wrong_ = 0, kept_ = 0;
    std::optional<Session> session_;
    std::vector<std::string> expected_;
    std::vector<FaultCounts> counts_;
    std::string known_leaks_;
    std::mutex mutex_;  // for what follows
    std::string now_, heard_;
    std::chrono::steady_clock::time_point since_;
};

}  // namespace dragoman::test
