// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "text/characters.h"

namespace dragoman::text {

// The end of the moves of a game of chess that begin at `at`: "1. e4 e5 2. Sf3", "14...Qxd4+", "Rxf1#"; `at`: there are
// none. A move alone must take a piece, give check or have a number, as "a4" may be anything.
std::size_t chess_moves_end(std::string_view text, std::size_t at);

}  // namespace dragoman::text
