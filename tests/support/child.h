// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dragoman::test {

inline constexpr std::chrono::seconds kPatience{600};  // a machine may be busy: only what hangs waits so long
#ifdef _WIN32
inline constexpr const char* kLineEnd = "";  // there a terminal gets the place of the next line instead
#else
inline constexpr const char* kLineEnd = "\r\n";
#endif

// How a program ended: with an exit code, or by a signal. Ctrl-C counts as SIGINT where there are no signals.
struct End {
    int exit_code = -1, signal = 0;
};

// A program that runs beside the test, on a terminal of its own with 60 columns. Ends with the handle.
class Child {
public:
    explicit Child(std::vector<std::string> command);
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    void kill() const;
    void signal(int number) const;  // where there are signals
    bool running();
    End wait();
    void type(const std::string& keys) const;
    // Waits until the program has written a text after the last one waited for.
    bool shows(const std::string& text);
    const std::string& output() const { return output_; }
    // Keys reach the program one by one and unseen; nothing where only the program itself may ask.
    std::optional<bool> raw() const;

private:
    struct System;
    void drain();  // what has been written goes to output_
    std::unique_ptr<System> system_;
    End end_;
    std::string output_;
    std::size_t seen_ = 0;
};

}  // namespace dragoman::test
