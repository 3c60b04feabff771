// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "picture/font.h"
#include "picture/picture.h"

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb_truetype.h>

namespace dragoman::picture {
namespace {

constexpr int kReplacement = 0xfffd;

const stbtt_fontinfo& font() {
    static const stbtt_fontinfo info = [] {
        stbtt_fontinfo loaded;
        if (!stbtt_InitFont(&loaded, kFont.data(), 0)) throw std::runtime_error("the built-in font is broken");
        return loaded;
    }();
    return info;
}

// The next character; bytes that are not UTF-8 give the replacement character.
int next_character(std::string_view text, std::size_t& at) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const unsigned first = byte(at++);
    if (first < 0x80) return static_cast<int>(first);
    if (first < 0xc0 || first >= 0xf8) return kReplacement;
    const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    unsigned value = first & (0x3fu >> more);
    for (int i = 0; i < more; ++i) {
        if ((byte(at) & 0xc0) != 0x80) return kReplacement;
        value = value << 6 | (byte(at++) & 0x3f);
    }
    return static_cast<int>(value);
}

int glyph_of(int character) {
    const int glyph = stbtt_FindGlyphIndex(&font(), character);
    return glyph ? glyph : stbtt_FindGlyphIndex(&font(), kReplacement);
}

// Calls place(glyph, x) for every character, x in font units; returns the width.
template <class Place>
int lay_out(std::string_view text, Place&& place) {
    int x = 0;
    for (std::size_t at = 0; at < text.size();) {
        const int glyph = glyph_of(next_character(text, at));
        place(glyph, x);
        int advance = 0;
        stbtt_GetGlyphHMetrics(&font(), glyph, &advance, nullptr);
        x += advance;
    }
    return x;
}

struct FreeShape {
    void operator()(stbtt_vertex* shape) const { stbtt_FreeShape(&font(), shape); }
};

struct Turn {
    float cos, sin;
    // Turns a point, in font units with y up, counterclockwise.
    void apply(short& x, short& y) const {
        const auto turned_x = static_cast<float>(x) * cos - static_cast<float>(y) * sin;
        const auto turned_y = static_cast<float>(x) * sin + static_cast<float>(y) * cos;
        x = static_cast<short>(std::lround(turned_x));
        y = static_cast<short>(std::lround(turned_y));
    }
};

}  // namespace

float text_width(std::string_view text, float size) {
    return static_cast<float>(lay_out(text, [](int, int) {})) * stbtt_ScaleForMappingEmToPixels(&font(), size);
}

bool can_write(std::string_view text) {
    for (std::size_t at = 0; at < text.size();)
        if (stbtt_FindGlyphIndex(&font(), next_character(text, at)) == 0) return false;
    return true;
}

void Picture::text(float x, float y, std::string_view text, const TextStyle& style) {
    if (style.halo > 0) {
        TextStyle around = style;
        around.color = kWhite;
        around.halo = 0;
        for (int i = 0; i < 16; ++i) {
            const float angle = 6.2831853f * static_cast<float>(i) / 16;
            this->text(x + style.halo * std::cos(angle), y + style.halo * std::sin(angle), text, around);
        }
    }
    const float radians = style.degrees * 0.017453293f;
    const Turn turn{std::cos(radians), std::sin(radians)};
    const float scale = stbtt_ScaleForMappingEmToPixels(&font(), style.size);
    const float before =
        style.align == Align::left ? 0 : text_width(text, style.size) * (style.align == Align::center ? 0.5f : 1.0f);
    lay_out(text, [&](int glyph, int units) {
        stbtt_vertex* shape = nullptr;
        const int count = stbtt_GetGlyphShape(&font(), glyph, &shape);
        if (count == 0) return;
        const std::unique_ptr<stbtt_vertex, FreeShape> owner(shape);
        float low_x = 1e9f, high_x = -1e9f, low_y = 1e9f, high_y = -1e9f;
        for (int i = 0; i < count; ++i) {
            turn.apply(shape[i].x, shape[i].y);
            if (shape[i].type == STBTT_vcurve) turn.apply(shape[i].cx, shape[i].cy);
            const auto include = [&](short px, short py) {
                low_x = std::min(low_x, static_cast<float>(px));
                high_x = std::max(high_x, static_cast<float>(px));
                low_y = std::min(low_y, static_cast<float>(-py));
                high_y = std::max(high_y, static_cast<float>(-py));
            };
            include(shape[i].x, shape[i].y);
            if (shape[i].type == STBTT_vcurve) include(shape[i].cx, shape[i].cy);
        }
        // Splits the glyph's origin into whole pixels and a fraction.
        const float along = static_cast<float>(units) * scale - before;
        const float origin_x = x + along * turn.cos, origin_y = y - along * turn.sin;
        const auto pixel = [](float value) { return static_cast<int>(std::floor(value)); };
        const float fraction_x = origin_x - std::floor(origin_x), fraction_y = origin_y - std::floor(origin_y);
        const int left = pixel(low_x * scale + fraction_x), top = pixel(low_y * scale + fraction_y);
        const int width = pixel(high_x * scale + fraction_x) - left + 2;
        const int height = pixel(high_y * scale + fraction_y) - top + 2;
        std::vector<unsigned char> coverage(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
        stbtt__bitmap bitmap{width, height, width, coverage.data()};
        stbtt_Rasterize(&bitmap, 0.35f, shape, count, scale, scale, fraction_x, fraction_y, left, top, 1, nullptr);
        for (int row = 0; row < height; ++row)
            for (int col = 0; col < width; ++col)
                blend(pixel(origin_x) + left + col, pixel(origin_y) + top + row, style.color,
                      static_cast<float>(coverage[static_cast<std::size_t>(row * width + col)]) / 255.0f);
    });
}

}  // namespace dragoman::picture
