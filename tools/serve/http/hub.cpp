// SPDX-License-Identifier: Apache-2.0
#include "serve/http/hub.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <random>

namespace serve::http {

std::string Hub::next_id() {
    // A start of its own for each process, so that logs of two runs have no id in common.
    if (id_start_.empty()) {
        std::random_device random;
        id_start_ = fmt::format("{:08x}{:08x}", random(), random());
    }
    return fmt::format("{}-{:x}", id_start_, ++id_count_);
}

const std::string& Hub::date() {
    static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const std::time_t now = std::time(nullptr);
    if (now == date_second_) return date_;
    date_second_ = now;
    const std::tm time = fmt::gmtime(now);
    date_ = fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} GMT", kDays[time.tm_wday], time.tm_mday,
                        kMonths[time.tm_mon], time.tm_year + 1900, time.tm_hour, time.tm_min, time.tm_sec);
    return date_;
}

}  // namespace serve::http
