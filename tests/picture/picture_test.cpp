// SPDX-License-Identifier: Apache-2.0
#include "picture/picture.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "support/temp_dir.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#include <stb_image.h>

namespace picture_test {

using namespace dragoman;
using namespace dragoman::picture;

namespace {

constexpr Color kRed{200, 0, 0};

// Darkness of a box, in black pixels.
double ink(const Picture& picture, int x0, int y0, int x1, int y1) {
    double sum = 0;
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) sum += (255 - picture.at(x, y).green) / 255.0;
    return sum;
}
double ink(const Picture& picture) { return ink(picture, 0, 0, picture.width(), picture.height()); }

}  // namespace

TEST_CASE("another program's decoder reads the file back") {
    Picture picture(40, 30, {10, 20, 30});
    picture.rectangle(5, 6, 7, 8, kRed);
    const test::TempDir folder;
    const std::string path = folder.path() / "out.png";
    picture.save(path);
    int width = 0, height = 0, channels = 0;
    stbi_uc* pixels = stbi_load(path.c_str(), &width, &height, &channels, 3);
    REQUIRE(pixels != nullptr);
    CHECK(width == 40);
    CHECK(height == 30);
    bool equal = true;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const stbi_uc* p = pixels + 3 * (y * width + x);
            const bool inside = x >= 5 && x < 12 && y >= 6 && y < 14;
            const Color expected = inside ? kRed : Color{10, 20, 30};
            equal &= Color{p[0], p[1], p[2]} == expected && picture.at(x, y) == expected;
        }
    CHECK(equal);
    stbi_image_free(pixels);
    CHECK_THROWS_AS(picture.save((folder.path() / "no" / "out.png").string()), std::runtime_error);
}

TEST_CASE("shapes cover their area and nothing else, fractions of pixels too") {
    Picture picture(100, 100);
    picture.rectangle(10.25f, 20.5f, 30.5f, 10.25f, kBlack);
    CHECK(ink(picture) == doctest::Approx(30.5 * 10.25).epsilon(0.01));
    CHECK(ink(picture, 10, 20, 41, 31) == doctest::Approx(ink(picture)));

    Picture frame(100, 100);
    frame.frame(10, 10, 50, 40, 2, kBlack);
    CHECK(ink(frame) == doctest::Approx(50 * 40 - 46 * 36));

    Picture line(100, 100);
    line.line(20, 20, 80, 60, 4, kBlack);
    CHECK(ink(line) == doctest::Approx(4 * std::hypot(60, 40) + 3.14159 * 4).epsilon(0.03));
    CHECK(line.at(50, 40) == kBlack);
    CHECK(line.at(50, 60) == kWhite);

    Picture disc(100, 100);
    disc.disc(50, 50, 20, kBlack);
    CHECK(ink(disc) == doctest::Approx(3.14159 * 400).epsilon(0.02));

    Picture dashes(100, 100);
    dashes.dashed_line(10, 50, 90, 50, 2, kBlack, 10);
    CHECK(dashes.at(14, 50).green < 100);
    CHECK(dashes.at(26, 50) == kWhite);
}

TEST_CASE("what lies outside is cut") {
    Picture picture(20, 20);
    picture.rectangle(-1e9f, -5, 2e9f, 8, kBlack);
    CHECK(ink(picture) == doctest::Approx(60));
    picture.line(-50, -50, 100, 300, 3, kRed);
    picture.disc(30, 30, 5, kRed);
    picture.text(-500, 10, "far away", {});
    picture.text(15, 25, "half", {.size = 40});
    CHECK_THROWS_AS(Picture(0, 5), std::invalid_argument);
    CHECK_THROWS_AS(Picture(5, 1 << 20), std::invalid_argument);
}

TEST_CASE("text stands where its anchor, alignment and angle say") {
    const float width = text_width("Hamburg", 24);
    CHECK(width > 80);
    CHECK(width < 130);
    const int w = static_cast<int>(std::ceil(width));

    const auto draw = [](TextStyle style) {
        style.size = 24;
        Picture picture(400, 400);
        picture.text(200, 200, "Hamburg", style);
        return picture;
    };
    const Picture left = draw({});
    const double all = ink(left);
    CHECK(all > 200);
    CHECK(ink(left, 200, 180, 200 + w + 1, 207) == doctest::Approx(all));
    CHECK(ink(left, 200, 200, 400, 220) < 0.2 * all);  // only the g goes below the line
    CHECK(ink(left, 200, 200, 400, 220) > 0);
    const Picture right = draw({.align = Align::right});
    CHECK(ink(right, 199 - w, 180, 201, 207) == doctest::Approx(all).epsilon(0.02));
    const Picture center = draw({.align = Align::center});
    CHECK(ink(center, 199 - w / 2, 180, 202 + w / 2, 207) == doctest::Approx(all).epsilon(0.02));
    const Picture up = draw({.degrees = 90});
    CHECK(ink(up, 180, 199 - w, 207, 201) == doctest::Approx(all).epsilon(0.02));
    const Picture slanted = draw({.degrees = 45});
    CHECK(ink(slanted, 180, 100, 320, 210) == doctest::Approx(all).epsilon(0.03));
    CHECK(ink(slanted, 250, 180, 400, 230) == 0);
    const Picture red = draw({.color = kRed});
    bool seen = false;
    for (int x = 200; x < 320; ++x) seen |= red.at(x, 195) == kRed;
    CHECK(seen);
}

TEST_CASE("a halo clears what is behind a text") {
    Picture picture(200, 60, kGrey);
    picture.text(20, 40, "I", {.size = 30, .halo = 3});
    bool white = false, black = false;
    for (int x = 15; x < 40; ++x) {
        white |= picture.at(x, 30) == kWhite;
        black |= picture.at(x, 30) == kBlack;
    }
    CHECK(white);
    CHECK(black);
}

TEST_CASE("the font has the letters of many languages") {
    CHECK(can_write("Äpfel, Öl, Übermut, ß, ẞ, “quotes” „Anführung“ – — … ▁ € × ·"));
    CHECK(can_write("naïve façade Łódź čeština İstanbul"));
    CHECK(can_write("Ελληνικά русский українська ґ"));
    CHECK(can_write("آ ت ز م و ن ب ج ش ک گ ی"));
    CHECK_FALSE(can_write("漢"));
    Picture umlaut(60, 60), plain(60, 60);
    umlaut.text(10, 45, "Ü", {.size = 40});
    plain.text(10, 45, "U", {.size = 40});
    CHECK(ink(umlaut) > ink(plain) + 10);  // the dots
    CHECK(ink(umlaut, 0, 20, 60, 60) == doctest::Approx(ink(plain, 0, 20, 60, 60)).epsilon(0.02));
    Picture unknown(60, 60);
    unknown.text(10, 45, "漢", {.size = 40});
    CHECK(ink(unknown) > 50);
    unknown.text(10, 45, "\xc3", {.size = 40});  // cut off in the middle of a character
}

}  // namespace picture_test
