// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// A time in words: "half past two", "a quarter to 9", "halb drei", "Viertel nach acht Uhr".
struct SpokenTime {
    Range range{};
    int minutes = 0;  // from one o'clock to a minute before one: 60 to 779; which half of the day it does not say
};

// Those that a text in English or German has, in order; of other languages none are known.
std::vector<SpokenTime> spoken_times(std::string_view text, std::string_view language);
bool knows_spoken_times(std::string_view language);

}  // namespace dragoman::text
