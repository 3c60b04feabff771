// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

namespace cli {

// The first Ctrl-C ends the program between two lines, the second one at once.
class Interrupts {
public:
    Interrupts() {
        if (std::signal(SIGINT, note) == SIG_IGN) std::signal(SIGINT, SIG_IGN);
    }
    ~Interrupts() {
        if (std::signal(SIGINT, SIG_DFL) == SIG_IGN) std::signal(SIGINT, SIG_IGN);
    }
    static bool came() { return came_; }

private:
    static void note(int) {
        came_ = 1;
        std::signal(SIGINT, SIG_DFL);
    }
    static inline volatile std::sig_atomic_t came_ = 0;
};

}  // namespace cli
