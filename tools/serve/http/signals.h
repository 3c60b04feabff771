// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

namespace serve::http {

// Calls back on a thread of its own, where anything is allowed.
class Signals {
public:
    struct Actions {
        std::function<void(bool again)> end;  // SIGTERM, SIGINT; `again`: not for the first time
        std::function<void()> reload;         // SIGHUP, where the system has it
    };
    explicit Signals(Actions actions);
    ~Signals();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace serve::http
