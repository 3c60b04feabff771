// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

namespace dragoman {
namespace {

LogLevel default_level() {
    const char* text = std::getenv("DRAGOMAN_LOG");
    const std::string_view level = text ? text : "";
    if (level == "debug") return LogLevel::debug;
    if (level == "info") return LogLevel::info;
    if (level == "error") return LogLevel::error;
    return LogLevel::warning;
}

void write_to_stderr(LogLevel level, std::string_view line) {
    static constexpr const char* kNames[] = {"error", "warning", "info", "debug"};
    std::fprintf(stderr, "dragoman: %s: %.*s\n", kNames[static_cast<int>(level)], static_cast<int>(line.size()),
                 line.data());
}

// Leaked on purpose: destructors of other statics may still log.
struct State {
    std::mutex mutex;
    LogSink sink = write_to_stderr;
    std::atomic<LogLevel> max_level = default_level();
};

State& state() {
    static State* const instance = new State;
    return *instance;
}

}  // namespace

void set_log_sink(LogSink sink, LogLevel max_level) {
    State& s = state();
    const std::lock_guard lock(s.mutex);
    s.max_level = sink ? max_level : default_level();
    s.sink = sink ? std::move(sink) : LogSink(write_to_stderr);
}

bool log_enabled(LogLevel level) noexcept { return level <= state().max_level.load(std::memory_order_relaxed); }

void log_line(LogLevel level, std::string_view line) noexcept try {
    State& s = state();
    const std::lock_guard lock(s.mutex);
    s.sink(level, line);
} catch (...) {
    std::fprintf(stderr, "dragoman: a log sink threw\n");
}

}  // namespace dragoman
