// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace cli {

// How far a translation is.
struct Done {
    std::size_t inputs = 0;     // that are written
    std::size_t of_inputs = 0;  // 0: not known
    std::size_t sentences = 0;
    double share = 0;           // of the source's bytes
    double share_before = 0;    // by an earlier run
};

// "12 lines, 34 sentences, 30 %, 4.2/s, 1:23 left"; `inputs`: what they are called.
std::string in_words(const Done& done, const char* inputs, std::chrono::duration<double> elapsed);

// Shows it on standard error: on a terminal in one line that is drawn anew a few times a second, elsewhere in a line
// every ten seconds.
class Progress {
public:
    Progress(bool shown, const char* inputs);
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    void show(const Done& done);
    void clear();  // before another line is written

private:
    using Clock = std::chrono::steady_clock;
    const bool shown_, on_terminal_;
    const char* const inputs_;
    const Clock::time_point start_ = Clock::now();
    Clock::time_point next_;
    bool drawn_ = false;
};

}  // namespace cli
