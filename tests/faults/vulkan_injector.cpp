// SPDX-License-Identifier: Apache-2.0
#include "faults/vulkan_injector.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "base/environment.h"

namespace dragoman::test {
namespace {

constexpr std::chrono::seconds kHang{300};

std::string result_text(VkResult result) {
    switch (result) {
        case VK_ERROR_DEVICE_LOST: return "device lost";
        case VK_ERROR_OUT_OF_HOST_MEMORY: return "out of host memory";
        case VK_ERROR_OUT_OF_DEVICE_MEMORY: return "out of device memory";
        case VK_INCOMPLETE: return "incomplete";
        default: return std::to_string(result);
    }
}

}  // namespace

VulkanInjector::VulkanInjector(VulkanShim& shim, uint64_t stride, uint64_t first, uint64_t keep, std::string_view only)
    : shim_(shim), stride_(stride), keep_(keep), only_(only), next_(first) {
    std::thread([this] { watch(); }).detach();
}

bool VulkanInjector::run(const Family& family) {
    counts_.assign(shim_.calls().size(), {});
    wrong_ = 0;
    expected_.clear();
    const std::vector<uint64_t> calls = learn(family);
    if (wrong_) return false;
    for (std::size_t call = 0; call < calls.size(); ++call)
        for (uint64_t occurrence = 0; occurrence < calls[call]; ++occurrence)
            for (const VkResult result : shim_.calls()[call].results) {
                if ((!only_.empty() && only_ != shim_.calls()[call].name) || next_++ % stride_) continue;
                inject(family,
                       {.call = call, .occurrence = occurrence, .result = result, .sticky = next_ / stride_ % 2 == 0});
            }
    close(true);
    return wrong_ == 0;
}

// The library asks for the version once, and keeps the first instance that it gets: until vkCreateInstance itself fails,
// none is made. The messenger belongs to instances with validation, and comes after them.
bool VulkanInjector::run_first(const Family& family) {
    counts_.assign(shim_.calls().size(), {});
    wrong_ = 0;
    constexpr uint64_t kMostCalls = 8;  // of one function, to make an instance
    for (const std::string_view name :
         {"vkEnumerateInstanceVersion", "vkEnumerateInstanceLayerProperties", "vkEnumerateInstanceExtensionProperties",
          "vkCreateInstance", "vkCreateDebugUtilsMessengerEXT"}) {
        const bool before = name.starts_with("vkEnumerate");
        for (std::size_t call = 0; call < shim_.calls().size(); ++call)
            for (uint64_t occurrence = 0; shim_.calls()[call].name == name && occurrence < (before ? kMostCalls : 1);
                 ++occurrence)
                for (const VkResult result : shim_.calls()[call].results)
                    if (result < 0)
                        refuse_open(family,
                                    {.call = call, .occurrence = occurrence, .result = result, .no_instance = before});
    }
    return wrong_ == 0;
}

void VulkanInjector::hear(const char* line) {
    if (!std::strstr(line, "vulkan validation:")) return;
    const std::lock_guard lock(mutex_);
    heard_ = line;
}

void VulkanInjector::fail(const std::string& text) {
    ++wrong_;
    std::printf("WRONG %s: %s\n", now_.c_str(), text.c_str());
    std::fflush(stdout);
}

void VulkanInjector::note(const Family& family, const VulkanFault& fault) {
    const std::lock_guard lock(mutex_);
    now_ = std::string(family.name) + ", " + shim_.calls()[fault.call].name + " number " +
           std::to_string(fault.occurrence) + ": " + result_text(fault.result) + (fault.sticky ? " for good" : "");
    since_ = std::chrono::steady_clock::now();
    if (environment_flag("FAULTS_VERBOSE")) std::fprintf(stderr, "%s\n", now_.c_str());
}

void VulkanInjector::watch() {
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
std::vector<uint64_t> VulkanInjector::learn(const Family& family) {
    std::vector<uint64_t> calls;
    for (int round = 0; round < 2; ++round) {
        note(family, {});
        open(family);
        shim_.arm({.occurrence = UINT64_MAX});
        expected_.assign(Session::kSteps, {});
        for (int i = begin(); i < end(); ++i) {
            const auto step = Session::Step(i);
            try {
                if (session_->has(step)) expected_[i] = session_->run(step);
            } catch (const Error& error) {
                fail(std::string("without a fault, ") + Session::name(step) + ": " + error.what());
                return {};
            }
        }
        calls.clear();
        for (std::size_t i = 0; i < shim_.calls().size(); ++i) calls.push_back(shim_.count(i));
        shim_.disarm();
        close(false);
    }
    return calls;
}

void VulkanInjector::open(const Family& family) {
    if (session_) return;
    session_.emplace(family);
    if (!keep_) return;
    session_->run(Session::open);
    session_->run(Session::load_other);
}

// Ends the session, unless it is kept, and looks for what it left.
void VulkanInjector::close(bool now) {
    if (!session_ || (!now && ++kept_ < keep_)) return;
    kept_ = 0;
    session_->run(Session::close);
    session_.reset();
    if (const std::string leaks = shim_.leaks(); leaks != known_leaks_) {
        fail("left:" + leaks);
        known_leaks_ = leaks;
    }
}

bool VulkanInjector::names_call(const std::string& message, const VulkanFault& fault) const {
    const std::string call = shim_.calls()[fault.call].name;
    if (message.find(call) != std::string::npos) return true;
    if (fault.result == VK_ERROR_DEVICE_LOST)
        return message.find("VK_ERROR_DEVICE_LOST") != std::string::npos ||
               message.find("was lost") != std::string::npos;
    return message.find("vmaCreate") != std::string::npos || message.find("has no room") != std::string::npos;
}

void VulkanInjector::fail_for_validation() {
    std::string heard;
    {
        const std::lock_guard lock(mutex_);
        heard.swap(heard_);
    }
    if (!heard.empty()) fail(heard);
}

void VulkanInjector::inject(const Family& family, const VulkanFault& fault) {
    note(family, fault);
    open(family);
    shim_.arm(fault);
    FaultCounts& counts = counts_[fault.call];
    bool told = false, lost = false;
    const uint64_t wrong_before = wrong_;
    for (int i = begin(); i < end(); ++i) {
        const auto step = Session::Step(i);
        if (!session_->has(step)) continue;
        for (int attempt = 0; attempt < 2; ++attempt) {
            const bool before = told;
            try {
                const std::string answer = session_->run(step);
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
        if (!session_->is_open() && step == Session::open) break;
    }
    if (!keep_) session_->run(Session::close);
    if (shim_.disarm()) {
        ++counts.injected;
        ++(lost ? counts.lost : told ? counts.told : counts.survived);
    }
    close(lost || wrong_ != wrong_before);
    fail_for_validation();
}

// Uploads travel with submissions: nobody could tell which were lost.
bool VulkanInjector::may_lose(const VulkanFault& fault) const {
    const std::string_view call = shim_.calls()[fault.call].name;
    return fault.result == VK_ERROR_DEVICE_LOST || call == "vkQueueSubmit" || call == "vkEndCommandBuffer";
}

void VulkanInjector::refuse_open(const Family& family, const VulkanFault& fault) {
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
    FaultCounts& counts = counts_[fault.call];
    ++counts.injected;
    ++(message.empty() ? counts.survived : counts.told);
    const bool no_driver = fault.result == VK_ERROR_INCOMPATIBLE_DRIVER;
    if (!message.empty() && !no_driver && !names_call(message, fault)) fail("does not name the call: " + message);
}

}  // namespace dragoman::test
