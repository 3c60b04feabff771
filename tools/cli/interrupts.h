// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

namespace cli {

// The first Ctrl-C or SIGTERM ends the program between two lines, the second one at once. What the program was told to
// ignore, it ignores.
class Interrupts {
public:
    Interrupts() { set(note); }
    ~Interrupts() { set(SIG_DFL); }
    static bool came() { return came_ != 0; }
    static int signal() { return came_; }  // the one that came

private:
    static void set(void (*action)(int)) {
        for (const int number : {SIGINT, SIGTERM})
            if (std::signal(number, action) == SIG_IGN) std::signal(number, SIG_IGN);
    }
    static void note(int number) {
        came_ = number;
        for (const int next : {SIGINT, SIGTERM}) std::signal(next, SIG_DFL);
    }
    static inline volatile std::sig_atomic_t came_ = 0;
};

}  // namespace cli
