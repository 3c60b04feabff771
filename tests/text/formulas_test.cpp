// SPDX-License-Identifier: Apache-2.0
#include "text/formulas.h"

#include <doctest/doctest.h>

#include <string>

#include "text/kept.h"

namespace formulas_test {

using namespace dragoman::text;

namespace {

std::string formula(std::string_view text) { return std::string(text.substr(0, formula_end(text, 0))); }

std::string kept(std::string_view text) {
    std::string all;
    for (const Kept& each : find_kept(text)) all += "[" + std::string(part(text, each.range)) + "]";
    return all;
}

}  // namespace

TEST_CASE("formulas are one word") {
    for (const char* text :
         {"3·10⁸",      "5·10^-3", "5·10⁻³",  "5.97×10^24", "3,5·10⁸", "x^2",   "E=mc^2", "c≈3×10^8",
          "≈3×10^8",    "W×D×H",   "l×w×h",   "3×4×5",      "10×15cm", "m/s^2", "kW·h",   "N·m",
          "CuSO₄·5H₂O", "2^(n-1)", "(a+b)×c", "a·b",        "2½×3",    "n≥5",   "10÷2=5", "Länge×Breite×Höhe",
          "2^10=1024",  "1.5×2.5"})
        for (const std::string& around : {std::string(), std::string(" m/s."), std::string(", und"), std::string(".")})
            CHECK(formula(text + around) == text);
    for (const char* text : {"5", "3.5", "a", "a=b", "2*3", "col·lecció", "né·e", "un·e", "ami·e·s", "^_^", "3-4",
                             "Tom-Tim", "km/h", "x²", "", "×", "3×", "foo^barbaz", "5·Max"})
        CHECK_MESSAGE(formula(text) == "", text);
    CHECK(formula("4×4-Antrieb") == "4×4");
    CHECK(formula("x^2-Funktion") == "x^2");
    CHECK(kept("The size (W×D×H) or E=mc^2, and c≈3×10^8 m/s.") == "[W×D×H][E=mc^2][c≈3×10^8]");
    CHECK(!is_code("E=mc^2, where c≈3×10^8 m/s."));
}

TEST_CASE("decimals of a formula are values") {
    const auto names = [](std::string_view text) {
        std::string all;
        for (const Range& range : beside_decimals(text, {0, text.size()}))
            all += "[" + std::string(part(text, range)) + "]";
        return all;
    };
    CHECK(names("5.97×10^24") == "[×10^24]");
    CHECK(names("1.5×2.5") == "[×]");
    CHECK(names("3·10⁸") == "[3·10⁸]");
    CHECK(names("x=1.5^2") == "[x=][^2]");
    CHECK(names("1,234.5") == "");
}

}  // namespace formulas_test
