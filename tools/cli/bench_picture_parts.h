// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "picture/picture.h"

// The parts of the picture that bench_picture.cpp puts together.
namespace cli::bench_picture {

using dragoman::picture::Color;
using dragoman::picture::Picture;
using Report = nlohmann::ordered_json;

inline constexpr Color kText{40, 40, 48}, kFaint{120, 120, 130}, kEncoder{27, 140, 90}, kDecoder{44, 98, 190},
    kCeiling{222, 120, 20}, kOther{130, 130, 140};

struct Box {
    float x, y, width, height;
    bool meets(const Box& o) const {
        return x < o.x + o.width && o.x < x + width && y < o.y + o.height && o.y < y + height;
    }
    bool holds(const Box& o) const {
        return o.x >= x && o.y >= y && o.x + o.width <= x + width && o.y + o.height <= y + height;
    }
};

Color color_of(const std::string& pass);

// Three digits and a prefix: 1.2 GB/s, 340 MB/s, 17 kB/s; a number alone without a unit: 123 M.
std::string with_prefix(double value, const char* unit);
std::string duration(double seconds);  // 20.5 ns, 3 h
std::string percent(double share, int digits);  // what is too small for the digits is "< 0.1 %"
// The text if it has room, otherwise its begin and end with an ellipsis between them.
std::string fitted(const std::string& text, float size, float width);

inline constexpr float kBarRow = 46;  // height of a pass

// Below titles that take 46 pixels above the box.
void draw_bars(Picture& picture, const Box& box, const Report& profile);
void draw_roofline(Picture& picture, const Box& box, const Report& report);

}  // namespace cli::bench_picture
