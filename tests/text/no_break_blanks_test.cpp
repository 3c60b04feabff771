// SPDX-License-Identifier: Apache-2.0
#include "text/no_break_blanks.h"

#include <doctest/doctest.h>

#include <string>

namespace no_break_blanks_test {

namespace {

// "_" is a blank at which no line may end.
std::string mended(std::string source, std::string target) {
    for (std::size_t at; (at = source.find('_')) != source.npos;) source.replace(at, 1, "\u00a0");
    dragoman::text::apply(dragoman::text::no_break_blanks(source, target), target, {});
    for (std::size_t at; (at = target.find("\u00a0")) != target.npos;) target.replace(at, 2, "_");
    return target;
}

}  // namespace

TEST_CASE("blanks at which no line may end are where the source has them") {
    CHECK(mended("It weighs 5_kg.", "Es wiegt 5 kg.") == "Es wiegt 5_kg.");
    CHECK(mended("It weighs 5 kg.", "Es wiegt 5 kg.") == "Es wiegt 5 kg.");
    CHECK(mended("It costs 1_234.50_€ in 2_days.", "Es kostet in 2 Tagen 1.234,50 €.") ==
          "Es kostet in 2_Tagen 1.234,50_€.");
    CHECK(mended("See page_12 and no._3.", "Siehe Seite 12 und Nr. 3.") == "Siehe Seite_12 und Nr._3.");
    CHECK(mended("Mr._Smith has 3_dogs.", "Mr. Smith hat 3 Hunde.") == "Mr._Smith hat 3_Hunde.");
    CHECK(mended("Mr._Smith left.", "Herr Smith ging.") == "Herr Smith ging.");
    CHECK(mended("It costs $_5 here.", "Es kostet hier 5 $.") == "Es kostet hier 5_$.");
    CHECK(mended("It costs $_5 here.", "Es kostet hier $ 5.") == "Es kostet hier $_5.");
    CHECK(mended("It costs $_5 here.", "Es kostet hier 5 Dollar.") == "Es kostet hier 5 Dollar.");
    CHECK(mended("at 5_pm", "um 17 Uhr") == "um 17 Uhr");
    CHECK(mended("12_500 books", "12.500 Bücher") == "12.500 Bücher");
    CHECK(mended("", "a b") == "a b");
    CHECK(mended("_12 dogs_", "Das sind 12 Hunde") == "Das sind 12 Hunde");
    CHECK(mended("in_the_block_of_64_bytes", "im Block von 64 Bytes") == "im Block von 64 Bytes");
}

}  // namespace no_break_blanks_test
