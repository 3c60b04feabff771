// SPDX-License-Identifier: Apache-2.0
#include "support/os/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace os {
namespace {

constexpr std::array kEnding{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV};

termios cooked, raw;
volatile sig_atomic_t active = 0;

void handle(int signal, void (*handler)(int), int flags) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(signal, &action, nullptr);
}

// Only functions that a signal handler may call.
void end_by(int signal) {
    if (active) tcsetattr(STDIN_FILENO, TCSANOW, &cooked);
    [[maybe_unused]] const ssize_t written = write(STDOUT_FILENO, "\033[0m\033[J\r\n", 9);
    raise(signal);  // its default action is back: SA_RESETHAND
}

void stop(int) {
    const int error = errno;
    if (active) tcsetattr(STDIN_FILENO, TCSANOW, &cooked);
    raise(SIGSTOP);
    if (active) tcsetattr(STDIN_FILENO, TCSANOW, &raw);  // continued
    errno = error;
}

void check(int result, const char* what) {
    if (result != 0) throw std::system_error(errno, std::system_category(), what);
}

}  // namespace

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) != 0; }

void prepare_console(int&, char**&) {}

std::size_t columns_of(char32_t character) {
    const int columns = wcwidth(static_cast<wchar_t>(character));
    return columns < 0 ? 1 : static_cast<std::size_t>(columns);
}

Bell::Bell() {
    int ends[2];
    check(pipe(ends), "pipe");
    for (int i = 0; i < 2; ++i) {
        handles_[i] = ends[i];
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
    }
}

Bell::~Bell() {
    for (const std::intptr_t handle : handles_) close(static_cast<int>(handle));
}

void Bell::ring() { [[maybe_unused]] const ssize_t written = write(static_cast<int>(handles_[1]), "", 1); }

void Bell::quiet() {
    for (char c; ::read(static_cast<int>(handles_[0]), &c, 1) == 1;) {}
}

RawTerminal::RawTerminal() {
    check(tcgetattr(STDIN_FILENO, &cooked), "terminal");
    raw = cooked;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // Ctrl-C and Ctrl-Z still send signals
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    for (const int signal : kEnding) handle(signal, end_by, SA_RESETHAND | SA_NODEFER);
    handle(SIGTSTP, stop, 0);
    handle(SIGWINCH, [](int) {}, 0);  // ends a wait, so that the line is drawn anew
    active = 1;
    check(tcsetattr(STDIN_FILENO, TCSANOW, &raw), "terminal");
}

RawTerminal::~RawTerminal() {
    tcsetattr(STDIN_FILENO, TCSADRAIN, &cooked);
    active = 0;
    for (const int signal : kEnding) handle(signal, SIG_DFL, 0);
}

std::size_t RawTerminal::columns() {
    winsize size = {};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 10 ? size.ws_col : 80;
}

RawTerminal::Ready RawTerminal::wait(const Bell& bell, int pause_ms) {
    pollfd files[] = {{STDIN_FILENO, POLLIN, 0}, {static_cast<int>(bell.handle()), POLLIN, 0}};
    const int ready = poll(files, 2, pause_ms);
    if (ready < 0 && errno == EINTR) return {};
    check(ready < 0, "the terminal cannot be read");
    return {.keys = files[0].revents != 0, .rung = files[1].revents != 0, .in_time = ready > 0};
}

bool RawTerminal::read(std::string& keys) {
    keys.resize(256);
    const ssize_t count = ::read(STDIN_FILENO, keys.data(), keys.size());
    const bool interrupted = count < 0 && errno == EINTR;
    keys.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return count > 0 || interrupted;
}

}  // namespace os
