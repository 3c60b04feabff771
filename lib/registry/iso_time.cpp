// SPDX-License-Identifier: Apache-2.0
#include "registry/iso_time.h"

#include <fmt/format.h>

#include <chrono>

namespace dragoman::registry {

int64_t seconds_now() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

// "2026-11-26T10:00:00Z"
std::string iso_time(int64_t seconds) {
    const auto days = std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds(std::chrono::seconds(seconds)));
    const std::chrono::year_month_day date(days);
    const int64_t of_day = seconds - std::chrono::duration_cast<std::chrono::seconds>(days.time_since_epoch()).count();
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", int(date.year()), unsigned(date.month()),
                       unsigned(date.day()), of_day / 3600, of_day / 60 % 60, of_day % 60);
}

std::string iso_time_now() { return iso_time(seconds_now()); }

}  // namespace dragoman::registry
