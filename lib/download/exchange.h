// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "download/receiver.h"

namespace dragoman::download {

// Wakes the thread that waits for the network; any thread may call it.
class Waker {
public:
    Waker();
    ~Waker();
    void wake() const;
    void* multi() const { return multi_; }

private:
    void* multi_;
};

struct Asked {
    const Request* request;
    Receiver* receiver;
};

// Asks for all of them, `parallel` at a time: follows redirects, tries again what may pass. Throws the first failure;
// nothing runs any more then.
void exchange(const Waker& waker, const std::vector<Asked>& asked, const Settings& settings, int parallel,
              const ProgressFn& progress);

}  // namespace dragoman::download
