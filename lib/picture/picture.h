// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman::picture {

struct Color {
    uint8_t red = 0, green = 0, blue = 0;
    bool operator==(const Color&) const = default;
};
inline constexpr Color kWhite{255, 255, 255}, kBlack{0, 0, 0}, kGrey{128, 128, 128}, kLightGrey{221, 221, 221};
Color mix(Color from, Color to, float share);  // 0: from, 1: to

enum class Align : uint8_t { left, center, right };  // of a text along its direction

struct TextStyle {
    float size = 14;         // em, in pixels
    Color color = kBlack;
    Align align = Align::left;
    float degrees = 0;       // turned counterclockwise around its anchor: 90 reads upwards
    float halo = 0;          // pixels of white around it
};

// A picture to draw on. x goes right and y down, in pixels, and may be fractions; edges are smooth. What lies outside
// is clipped. Text is UTF-8, from left to right, one glyph per character.
class Picture {
public:
    // 1 to 16384 pixels each; throws invalid_argument otherwise
    Picture(int width, int height, Color background = kWhite);

    int width() const { return width_; }
    int height() const { return height_; }
    Color at(int x, int y) const;  // the point must be inside

    void rectangle(float x, float y, float width, float height, Color color);
    // draws the border, inside the rectangle
    void frame(float x, float y, float width, float height, float thickness, Color color);
    void line(float x0, float y0, float x1, float y1, float thickness, Color color);        // with round ends
    void dashed_line(float x0, float y0, float x1, float y1, float thickness, Color color, float dash = 6);
    void disc(float x, float y, float radius, Color color);
    // The anchor (x, y) is on the base line, at the end that `align` names.
    void text(float x, float y, std::string_view text, const TextStyle& style = {});

    std::vector<uint8_t> png() const;
    void save(const std::string& path) const;  // writes a PNG file; path in UTF-8; throws runtime_error naming the path

private:
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
    }
    void blend(int x, int y, Color color, float share);
    int width_, height_;
    std::vector<Color> pixels_;
};

// Width of a text along its direction, in pixels.
float text_width(std::string_view text, float size);
// Whether the font has a glyph for every character of a text.
bool can_write(std::string_view text);

}  // namespace dragoman::picture
