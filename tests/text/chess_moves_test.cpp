// SPDX-License-Identifier: Apache-2.0
#include "text/chess_moves.h"

#include <doctest/doctest.h>

#include <string>

namespace chess_moves_test {

using dragoman::text::chess_moves_end;

namespace {

std::string moves(std::string_view text) { return std::string(text.substr(0, chess_moves_end(text, 0))); }

}  // namespace

TEST_CASE("moves of chess with their numbers") {
    CHECK(moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 and won") == "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6");
    CHECK(moves("1. e4 c5 2. Sf3 Sc6") == "1. e4 c5 2. Sf3 Sc6");
    CHECK(moves("14...Qxd4+ 15.Kh1 Rxf1#, Black mates.") == "14...Qxd4+ 15.Kh1 Rxf1#");
    CHECK(moves("Nbd7+ is bad") == "Nbd7+");
    CHECK(moves("exd5.") == "exd5");
    CHECK(moves("R1xf3") == "R1xf3");
    CHECK(moves("e8=Q") == "e8=Q");
    CHECK(moves("12. O-O-O") == "12. O-O-O");
    for (const char* none :
         {"a4", "e4 e5", "Nf3", "1. a", "1. Punkt", "b2b", "1. e4x", "3.5", "2. 3.", "14. e45", "h1-b2"})
        CHECK_MESSAGE(moves(none).empty(), none);
}

}  // namespace chess_moves_test
