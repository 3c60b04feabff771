// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "base/os/fork.h"

namespace dragoman {

// The process in which an object was made. A child that fork() makes has the object but none of its threads, and the
// driver's state belongs to the parent: in a child nothing may wait for them, and nothing of them may be freed.
class HomeProcess {
public:
    bool here() const noexcept { return forks_ == os::forks(); }
    // Throws invalid_argument in another process.
    void check(const char* object) const {
        if (here()) return;
        fail(Status::invalid_argument,
             "{}: was made before this process was forked, and only the parent has its threads and its device; make it "
             "in the child, or start the child without fork (spawn)",
             object);
    }

private:
    uint32_t forks_ = os::forks();
};

}  // namespace dragoman
