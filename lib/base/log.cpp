// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <atomic>
#include <cstdio>
#include <algorithm>
#include <map>
#include <mutex>
#include <string>

#include "base/environment.h"

namespace dragoman {
namespace {

LogLevel default_level() {
    const std::string level = environment("DRAGOMAN_LOG");
    if (level == "debug") return LogLevel::debug;
    if (level == "info") return LogLevel::info;
    if (level == "error") return LogLevel::error;
    return LogLevel::warning;
}

void write_to_stderr(LogLevel level, std::string_view line) {
    static constexpr const char* kNames[] = {"error", "warning", "info", "debug"};
    static_assert(std::size(kNames) == std::size_t(LogLevel::debug) + 1);
    std::fprintf(stderr, "dragoman: %s: %.*s\n", kNames[static_cast<int>(level)], static_cast<int>(line.size()),
                 line.data());
}

// Leaked on purpose: destructors of other statics may still log.
struct State {
    std::mutex mutex;
    struct Sink {
        LogSink write;
        LogLevel max_level;
    };
    std::map<uint64_t, Sink> sinks = {{0, {write_to_stderr, default_level()}}};  // 0: the sink of set_log_sink()
    uint64_t next = 1;
    std::atomic<LogLevel> max_level = default_level();  // over all sinks

    void update() {
        LogLevel most = LogLevel::error;
        for (const auto& [id, sink] : sinks) most = std::max(most, sink.max_level);
        max_level = most;
    }
};

State& state() {
    static State* const instance = new State;
    return *instance;
}

}  // namespace

void set_log_sink(LogSink sink, LogLevel max_level) {
    State& s = state();
    const std::lock_guard lock(s.mutex);
    if (sink) s.sinks[0] = {std::move(sink), max_level};
    else s.sinks[0] = {write_to_stderr, default_level()};
    s.update();
}

uint64_t add_log_sink(LogSink sink, LogLevel max_level) {
    State& s = state();
    const std::lock_guard lock(s.mutex);
    s.sinks[s.next] = {std::move(sink), max_level};
    s.update();
    return s.next++;
}

void remove_log_sink(uint64_t id) {
    State& s = state();
    const std::lock_guard lock(s.mutex);
    s.sinks.erase(id);
    s.update();
}

bool log_enabled(LogLevel level) noexcept { return level <= state().max_level.load(std::memory_order_relaxed); }

void log_line(LogLevel level, std::string_view line) noexcept try {
    State& s = state();
    const std::lock_guard lock(s.mutex);
    for (const auto& [id, sink] : s.sinks)
        if (level <= sink.max_level) sink.write(level, line);
} catch (...) {
    std::fprintf(stderr, "dragoman: a log sink threw\n");
}

}  // namespace dragoman
