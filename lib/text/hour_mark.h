// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "text/characters.h"

namespace dragoman::text {

// What stands behind an hour: "Uhr", "o'clock", "p.m.", "in the morning".
struct HourMark {
    std::size_t end = 0;               // of it; where it was looked for: there is none
    bool known = false, late = false;  // which half of the day
    bool hour = false;                 // it says that this is a time
    bool broken = false;               // half of another language's mark is left behind: "Uhr.m."
    bool german = false, english = false;  // whose mark it is
    bool night = false;                    // it says that it is night: "2 at night" is early
};

// Looks for one at byte `at`, or a blank behind it. In German, "am" seldom says a half of the day: "2 am Montag".
HourMark hour_mark(std::string_view text, std::size_t at, bool german);

// Behind the hour 12: "noon", "midnight".
HourMark noon_mark(std::string_view text, std::size_t at);

}  // namespace dragoman::text
