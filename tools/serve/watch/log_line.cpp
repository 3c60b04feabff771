// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "serve/watch/log.h"

namespace serve::watch {
namespace {

constexpr std::array kTargets = {"target", "path", "query", "url", "referer"};

const char* name_of(LogLevel level) {
    switch (level) {
        case LogLevel::error: return "error";
        case LogLevel::warning: return "warning";
        case LogLevel::info: return "info";
        case LogLevel::debug: return "debug";
    }
    return "info";
}

std::string time_of(std::chrono::system_clock::time_point time) {
    const auto days = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day day(days);
    const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::milliseconds>(time - days));
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(day.year()),
                       static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()), clock.hours().count(),
                       clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

// In JSON, all but printable ASCII as \u: no terminal that shows a log takes orders from it.
std::string dumped(const Json& value) {
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    for (std::size_t at = 0; (at = text.find('\x7f', at)) != std::string::npos;) text.replace(at, 1, "\\u007f");
    return text;
}

bool is_plain(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char each) {
        return each > ' ' && each < 0x7f && each != '"' && each != '=' && each != '\\';
    });
}

std::string shown(const Json& value) {
    if (!value.is_string()) return dumped(value);
    const std::string& text = value.get_ref<const std::string&>();
    return is_plain(text) ? text : dumped(value);
}

// The message is a sentence of the program: shown as it is, unless there is something else in it.
std::string sentence(std::string_view message) {
    const bool safe = std::ranges::all_of(message, [](char each) { return each >= ' ' && each < 0x7f; });
    return safe ? std::string(message) : dumped(Json(std::string(message)));
}

Json without_keys(const Json& facts) {
    Json result = facts;
    for (auto& [name, value] : result.items())
        if (value.is_string() && std::ranges::find(kTargets, name) != kTargets.end())
            value = redacted(value.get_ref<const std::string&>());
    return result;
}

}  // namespace

std::string log_line(LogForm form, std::chrono::system_clock::time_point time, LogLevel level, std::string_view message,
                     const Json& facts) {
    const Json safe = without_keys(facts);
    if (form == LogForm::json) {
        Json line = {{"time", time_of(time)}, {"level", name_of(level)}, {"message", std::string(message)}};
        for (const auto& [name, value] : safe.items()) line[name] = value;
        return dumped(line) + "\n";
    }
    std::string line = fmt::format("{} {} {}", time_of(time), name_of(level), sentence(message));
    for (const auto& [name, value] : safe.items())
        line += fmt::format(" {}={}", is_plain(name) ? name : dumped(Json(name)), shown(value));
    return line + "\n";
}

}  // namespace serve::watch
