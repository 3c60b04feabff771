// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

namespace os {

bool is_terminal(std::FILE* stream);

// First in main(): the arguments, standard input and output are UTF-8 with the line ends that are written, also on a
// system where they would not be.
void prepare_console(int& argc, char**& argv);

// Columns that a character takes on a terminal, in the locale that setlocale() set.
std::size_t columns_of(char32_t character);

// Wakes a thread that waits for keys.
class Bell {
public:
    Bell();
    ~Bell();
    Bell(const Bell&) = delete;
    Bell& operator=(const Bell&) = delete;

    void ring();   // from any thread
    void quiet();  // until it is rung again
    std::intptr_t handle() const { return handles_[0]; }

private:
    std::intptr_t handles_[2];
};

// Puts the terminal on standard input into raw mode: keys arrive one by one and unseen. It is restored by the
// destructor, by signals that end the program, and while the program is stopped (Ctrl-Z). One at a time.
class RawTerminal {
public:
    RawTerminal();
    ~RawTerminal();
    RawTerminal(const RawTerminal&) = delete;
    RawTerminal& operator=(const RawTerminal&) = delete;

    static std::size_t columns();

    struct Ready {
        bool keys = false, rung = false, in_time = true;  // only in_time: the terminal changed its size
    };
    // Waits for keys or the bell, at most pause_ms; below 0: as long as it takes.
    static Ready wait(const Bell& bell, int pause_ms);
    static bool read(std::string& keys);  // false: there will be no more
};

}  // namespace os
