// SPDX-License-Identifier: Apache-2.0
#include "check/compilers.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "base/os/process.h"
#include "base/start_thread.h"

namespace dragoman::check {
namespace {

constexpr std::size_t kMostThreads = 16;
constexpr uint64_t kThreadBytes = 512u << 20;  // more than compilers take for one kernel

std::size_t thread_count(std::size_t kernels) {
    const uint64_t most = std::min<uint64_t>({kMostThreads, std::thread::hardware_concurrency(), kernels});
    const uint64_t free = os::free_memory_bytes().value_or(most * kThreadBytes);
    return std::size_t(std::clamp<uint64_t>(free / kThreadBytes, 1, std::max<uint64_t>(most, 1)));
}

}  // namespace

Compilers::Compilers(vulkan::Context& context, std::span<const Use> kernels) : context_(context), kernels_(kernels) {
    const std::size_t count = thread_count(kernels.size());
    threads_.reserve(count);
    try {
        while (threads_.size() < count) threads_.push_back(start_thread("a compiler", [this] { work(); }));
    } catch (const std::exception& error) {  // whoever needs a kernel compiles it
        log(LogLevel::debug, "{} of {} compilers: {}", threads_.size(), count, error.what());
    }
}

Compilers::~Compilers() {
    next_ = kernels_.size();
    for (std::thread& thread : threads_) thread.join();
}

void Compilers::work() {
    for (std::size_t i = next_++; i < kernels_.size(); i = next_++) try {
            context_.compile(kernels_[i]);
        } catch (const std::exception& error) {
            log(LogLevel::debug, "kernel {} is not compiled: {}", kernels_[i].shader->name, error.what());
        }
}

}  // namespace dragoman::check
