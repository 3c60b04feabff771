// SPDX-License-Identifier: Apache-2.0
#include "support/child.h"

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

namespace dragoman::test {

struct Child::System {
    pid_t pid = -1;
    int terminal = -1;
};

Child::Child(std::vector<std::string> command) : system_(std::make_unique<System>()) {
    std::vector<char*> arguments;
    for (std::string& argument : command) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    winsize size = {.ws_row = 24, .ws_col = 60, .ws_xpixel = 0, .ws_ypixel = 0};
    system_->pid = forkpty(&system_->terminal, nullptr, nullptr, &size);
    if (system_->pid < 0) throw std::runtime_error("no process or terminal");
    if (system_->pid == 0) {
        execv(arguments[0], arguments.data());
        _exit(127);
    }
}

Child::~Child() {
    kill();
    wait();
    close(system_->terminal);
}

void Child::kill() const { signal(SIGKILL); }

void Child::signal(int number) const {
    if (system_->pid > 0) ::kill(system_->pid, number);
}

bool Child::running() {
    drain();
    int status = 0;
    if (system_->pid <= 0) return false;
    if (waitpid(system_->pid, &status, WNOHANG) != system_->pid) return true;
    system_->pid = -1;
    if (WIFEXITED(status)) end_.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) end_.signal = WTERMSIG(status);
    return false;
}

void Child::type(const std::string& keys) const {
    if (write(system_->terminal, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size()))
        throw std::runtime_error("the terminal takes no keys");
}

std::optional<bool> Child::raw() const {
    termios mode = {};
    tcgetattr(system_->terminal, &mode);
    return !(mode.c_lflag & (ICANON | ECHO));
}

void Child::drain() {
    for (pollfd file = {system_->terminal, POLLIN, 0}; poll(&file, 1, 0) > 0;) {
        char bytes[4096];
        const ssize_t count = read(system_->terminal, bytes, sizeof bytes);
        if (count <= 0) return;
        output_.append(bytes, static_cast<std::size_t>(count));
    }
}

}  // namespace dragoman::test
