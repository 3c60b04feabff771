// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <csignal>
#include <mutex>
#include <thread>

#include "base/os/terminal.h"

namespace cli {

// The first Ctrl-C or SIGTERM ends the program between two lines, the second one at once. What a driver is doing then
// cannot be stopped, and may take it minutes (compiling a kernel): the program waits for it a few seconds only. What the
// program was told to ignore, it ignores.
class Interrupts {
public:
    Interrupts() {
        static std::once_flag once;
        std::call_once(once, [] { std::thread(end_after_a_while).detach(); });
        set(note);
    }
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
    // What is finished has been written by then, and the rest would be thrown away.
    static void end_after_a_while() {
        while (!came()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
        std::this_thread::sleep_for(std::chrono::seconds(5));
        dragoman::os::end_as_interrupted(signal());
    }
    static inline volatile std::sig_atomic_t came_ = 0;
};

}  // namespace cli
