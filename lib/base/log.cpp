// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>

#include "base/environment.h"
#include "base/per_process.h"

namespace dragoman {
namespace {

LogLevel default_level() noexcept try {
    const std::string level = environment("DRAGOMAN_LOG");
    if (level == "debug") return LogLevel::debug;
    if (level == "info") return LogLevel::info;
    if (level == "error") return LogLevel::error;
    // Not an error: a program whose user set it for another one goes on.
    static std::atomic<bool> told = false;
    if (!level.empty() && level != "warning" && !told.exchange(true))
        std::fprintf(stderr, "dragoman: warning: DRAGOMAN_LOG: expected error, warning, info or debug, got \"%s\"\n",
                     level.c_str());
    return LogLevel::warning;
} catch (...) {  // no memory
    return LogLevel::warning;
}

void write_to_stderr(LogLevel level, std::string_view line) {
    static constexpr const char* kNames[] = {"error", "warning", "info", "debug"};
    static_assert(std::size(kNames) == std::size_t(LogLevel::debug) + 1);
    std::fprintf(stderr, "dragoman: %s: %.*s\n", kNames[static_cast<int>(level)], static_cast<int>(line.size()),
                 line.data());
}

struct Sink {
    LogSink write;  // empty: write_to_stderr()
    LogLevel max_level;
};
using Sinks = std::map<uint64_t, Sink>;  // 0: the sink of set_log_sink()

// One list takes the place of another as a whole, so that a process that is forked meanwhile has a whole one. Never
// freed: destructors of other statics may still log.
constinit std::atomic<Sinks*> sinks = nullptr;  // null: write_to_stderr() alone
constinit std::atomic<uint64_t> last_id = 0;

std::mutex& mutex() {
    static auto& all = *new PerProcess<std::mutex>;
    return all.get();
}

// Over all sinks.
std::atomic<LogLevel>& max_level() noexcept {
    static std::atomic<LogLevel> level = default_level();
    return level;
}

// Under the mutex.
void change(auto&& how) {
    Sinks* const old = sinks.load(std::memory_order_acquire);
    auto fresh = old ? std::make_unique<Sinks>(*old)
                     : std::make_unique<Sinks>(std::initializer_list<Sinks::value_type>{{0, {{}, default_level()}}});
    how(*fresh);
    LogLevel most = LogLevel::error;
    for (const auto& [id, sink] : *fresh) most = std::max(most, sink.max_level);
    sinks.store(fresh.release(), std::memory_order_release);
    max_level() = most;
    delete old;
}

}  // namespace

void set_log_sink(LogSink sink, LogLevel level) {
    const std::lock_guard lock(mutex());
    if (!sink) level = default_level();
    change([&](Sinks& all) { all[0] = {std::move(sink), level}; });
}

uint64_t add_log_sink(LogSink sink, LogLevel level) {
    const std::lock_guard lock(mutex());
    const uint64_t id = ++last_id;
    change([&](Sinks& all) { all[id] = {std::move(sink), level}; });
    return id;
}

void remove_log_sink(uint64_t id) noexcept {
    const std::lock_guard lock(mutex());
    try {
        change([&](Sinks& all) { all.erase(id); });
    } catch (...) {  // no memory for another list
        if (Sinks* const all = sinks.load(std::memory_order_acquire)) all->erase(id);
    }
}

bool log_enabled(LogLevel level) noexcept { return level <= max_level().load(std::memory_order_relaxed); }

void log_with(LogLevel level, fmt::string_view format, fmt::format_args args) noexcept try {
    log_line(level, fmt::vformat(format, args));
} catch (...) {  // no memory for the line
    log_line(level, {format.data(), format.size()});
}

void log_line(LogLevel level, std::string_view line) noexcept try {
    const std::lock_guard lock(mutex());
    const Sinks* const all = sinks.load(std::memory_order_acquire);
    if (!all) return write_to_stderr(level, line);
    for (const auto& [id, sink] : *all) {
        if (level > sink.max_level) continue;
        if (sink.write) sink.write(level, line);
        else write_to_stderr(level, line);
    }
} catch (...) {
    std::fprintf(stderr, "dragoman: a log sink threw\n");
}

}  // namespace dragoman
