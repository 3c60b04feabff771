// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace dragoman::test {

inline constexpr std::chrono::seconds kPatience{120};

// A program that runs beside the test, on a terminal of its own. Ends with the handle.
class Child {
public:
    explicit Child(std::vector<std::string> command) {
        std::vector<char*> arguments;
        for (std::string& argument : command) arguments.push_back(argument.data());
        arguments.push_back(nullptr);
        winsize size = {.ws_row = 24, .ws_col = 60, .ws_xpixel = 0, .ws_ypixel = 0};
        pid_ = forkpty(&terminal_, nullptr, nullptr, &size);
        if (pid_ < 0) throw std::runtime_error("no process or terminal");
        if (pid_ == 0) {
            execv(arguments[0], arguments.data());
            _exit(127);
        }
    }
    ~Child() {
        signal(SIGKILL);
        wait();
        close(terminal_);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    void signal(int number) const {
        if (pid_ > 0) kill(pid_, number);
    }
    bool running() {
        drain();
        return pid_ > 0 && !reap(WNOHANG);
    }
    // The status as waitpid() gives it.
    int wait() {
        const auto deadline = std::chrono::steady_clock::now() + kPatience;
        while (running()) {  // it may wait for someone to read its output
            if (std::chrono::steady_clock::now() > deadline) throw std::runtime_error("the program does not end");
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        drain();
        return status_;
    }
    void type(const std::string& keys) const {
        if (write(terminal_, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size()))
            throw std::runtime_error("the terminal takes no keys");
    }
    // Waits until the program has written a text after the last one waited for.
    bool shows(const std::string& text) {
        const auto deadline = std::chrono::steady_clock::now() + kPatience;
        do {
            drain();
            if (const std::size_t at = output_.find(text, seen_); at != std::string::npos) {
                seen_ = at + text.size();
                return true;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        } while (running() && std::chrono::steady_clock::now() < deadline);
        return false;
    }
    const std::string& output() const { return output_; }
    termios mode() const {
        termios mode = {};
        tcgetattr(terminal_, &mode);
        return mode;
    }

private:
    bool reap(int flags) {
        if (waitpid(pid_, &status_, flags) != pid_) return false;
        pid_ = -1;
        return true;
    }
    void drain() {
        for (pollfd file = {terminal_, POLLIN, 0}; poll(&file, 1, 0) > 0;) {
            char bytes[4096];
            const ssize_t count = read(terminal_, bytes, sizeof bytes);
            if (count <= 0) return;
            output_.append(bytes, static_cast<std::size_t>(count));
        }
    }
    pid_t pid_ = -1;
    int terminal_ = -1, status_ = 0;
    std::string output_;
    std::size_t seen_ = 0;
};

}  // namespace dragoman::test
