// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string_view>

namespace dragoman {

enum class LogLevel : int { error = 0, warning = 1, info = 2, debug = 3 };

// Called with one line without its newline, on the thread that logs; calls are serialised.
using LogSink = std::function<void(LogLevel, std::string_view)>;

// Sets the sink of the process. An empty sink restores the default: errors and warnings go to stderr, more with
// DRAGOMAN_LOG=info|debug in the environment.
void set_log_sink(LogSink sink, LogLevel max_level);
// Adds a sink besides that one, until it is removed; it no longer runs when remove_log_sink() returns.
uint64_t add_log_sink(LogSink sink, LogLevel max_level);
void remove_log_sink(uint64_t id) noexcept;
bool log_enabled(LogLevel level) noexcept;
void log_line(LogLevel level, std::string_view line) noexcept;

template <class... Args>
void log(LogLevel level, fmt::format_string<Args...> format, Args&&... args) noexcept {
    if (!log_enabled(level)) return;
    try {
        log_line(level, fmt::format(format, std::forward<Args>(args)...));
    } catch (...) {  // no memory for the line
        const fmt::string_view unfilled = format;
        log_line(level, {unfilled.data(), unfilled.size()});
    }
}

}  // namespace dragoman
