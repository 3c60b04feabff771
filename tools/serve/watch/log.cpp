// SPDX-License-Identifier: Apache-2.0
#include "serve/watch/log.h"

#include <fmt/format.h>

#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace serve::watch {
namespace {

constexpr std::size_t kMostBytes = std::size_t(1) << 20;
constexpr auto kLastWait = std::chrono::seconds(1);

// One write() each: standard error has no buffer of its own, and the C library holds its lock meanwhile.
void to_standard_error(const std::string& line) { std::fwrite(line.data(), 1, line.size(), stderr); }

}  // namespace

// Shared with the thread that writes, which may hang in a pipe that nobody reads for longer than the log lives.
struct Log::Queue {
    LogForm form;
    Sink sink;
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::string> lines;
    std::size_t bytes = 0;
    std::uint64_t lost = 0;
    bool ends = false, gone = false;

    void push(std::string line) {
        {
            const std::lock_guard lock(mutex);
            if (bytes + line.size() > kMostBytes) {
                ++lost;
                return;
            }
            bytes += line.size();
            lines.push_back(std::move(line));
        }
        changed.notify_all();
    }

    // With the lock held.
    std::string next() {
        if (lost > 0 && lines.empty()) {
            const std::uint64_t count = std::exchange(lost, 0);
            return log_line(form, std::chrono::system_clock::now(), LogLevel::warning,
                            "lines of the log were lost, since nobody read it", {{"lines", count}});
        }
        std::string line = std::move(lines.front());
        lines.pop_front();
        bytes -= line.size();
        return line;
    }

    void run() {
        std::unique_lock lock(mutex);
        for (;;) {
            changed.wait(lock, [&] { return ends || !lines.empty() || lost > 0; });
            if (lines.empty() && lost == 0) break;
            const std::string line = next();
            lock.unlock();
            sink(line);
            lock.lock();
        }
        gone = true;
        changed.notify_all();
    }
};

Log::Log(LogForm form, LogLevel level) : Log(form, level, to_standard_error) {}

Log::Log(LogForm form, LogLevel level, Sink sink) : form_(form), level_(level), queue_(std::make_shared<Queue>()) {
    queue_->form = form;
    queue_->sink = std::move(sink);
    if (form == LogForm::none) return;
    std::thread([queue = queue_] { queue->run(); }).detach();
}

Log::~Log() {
    if (form_ == LogForm::none) return;
    std::unique_lock lock(queue_->mutex);
    queue_->ends = true;
    queue_->changed.notify_all();
    queue_->changed.wait_for(lock, kLastWait, [&] { return queue_->gone; });
}

void Log::write(LogLevel level, std::string_view message, const Json& facts) {
    if (form_ == LogForm::none || level > level_) return;
    queue_->push(log_line(form_, std::chrono::system_clock::now(), level, message, facts));
}

}  // namespace serve::watch
