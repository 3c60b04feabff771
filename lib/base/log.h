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

// Compiled once, whatever the types of the arguments.
void log_with(LogLevel level, fmt::string_view format, fmt::format_args args) noexcept;

template <class... Args>
void log(LogLevel level, fmt::format_string<Args...> format, Args&&... args) noexcept {
    if (log_enabled(level)) log_with(level, format, fmt::make_format_args(args...));
}

}  // namespace dragoman
