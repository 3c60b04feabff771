// SPDX-License-Identifier: Apache-2.0
// Scores of sacrebleu 2 (CHRF(), sentence_score).
#include "text/chrf.h"

#include <doctest/doctest.h>

namespace chrf_test {

using dragoman::text::chrf;

TEST_CASE("chrF of sentences is sacrebleu's") {
    CHECK(chrf("Das ist ein Haus.", "Dies ist das Haus.") == doctest::Approx(0.3659268646533512));
    CHECK(chrf("The cat sat on the mat, and it was happy.", "A cat was sitting on a mat; it looked happy.") ==
          doctest::Approx(0.2748474088512211));
    CHECK(chrf("東京 へ行く", "東京へ 行きます") == doctest::Approx(0.371505579723851));
    CHECK(chrf("kurz", "ku") == doctest::Approx(0.7812499999999999));  // fewer orders
    CHECK(chrf("ab", "a b") == doctest::Approx(1));
    CHECK(chrf("x", "y") == 0);
    CHECK(chrf("", "x") == 0);
}

}  // namespace chrf_test
