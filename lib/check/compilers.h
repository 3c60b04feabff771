// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <span>
#include <thread>
#include <vector>

#include "check/check.h"

namespace dragoman::check {

// Compiles kernels on several threads, in their order, until the end of the scope: a driver's compiler keeps one thread
// busy with each. Whoever needs a kernel before waits for that one. What does not compile fails there, not here.
class Compilers {
public:
    // The kernels must outlive it.
    Compilers(vulkan::Context& context, std::span<const Use> kernels);
    ~Compilers();  // kernels that have not begun stay as they are
    Compilers(const Compilers&) = delete;

private:
    void work();

    vulkan::Context& context_;
    const std::span<const Use> kernels_;
    std::atomic<std::size_t> next_ = 0;
    std::vector<std::thread> threads_;
};

}  // namespace dragoman::check
