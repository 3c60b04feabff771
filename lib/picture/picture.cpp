// SPDX-License-Identifier: Apache-2.0
#include "picture/picture.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

namespace dragoman::picture {
namespace {

constexpr int kMaxPixels = 16384;

// How much of the pixel from `pixel` to `pixel` + 1 lies between low and high.
float overlap(int pixel, float low, float high) {
    const auto begin = static_cast<float>(pixel);
    return std::clamp(std::min(high, begin + 1) - std::max(low, begin), 0.0f, 1.0f);
}

struct Span {
    int begin, end;
};
Span pixels(float low, float high, int size) {
    const auto limit = static_cast<float>(size);
    return {static_cast<int>(std::floor(std::clamp(low, 0.0f, limit))),
            static_cast<int>(std::ceil(std::clamp(high, 0.0f, limit)))};
}

}  // namespace

Color mix(Color from, Color to, float share) {
    share = std::clamp(share, 0.0f, 1.0f);
    const auto channel = [share](uint8_t a, uint8_t b) {
        return static_cast<uint8_t>(std::lround(static_cast<float>(a) * (1 - share) + static_cast<float>(b) * share));
    };
    return {channel(from.red, to.red), channel(from.green, to.green), channel(from.blue, to.blue)};
}

Picture::Picture(int width, int height, Color background) : width_(width), height_(height) {
    if (width < 1 || height < 1 || width > kMaxPixels || height > kMaxPixels)
        throw std::invalid_argument("a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                                    " pixels: expected 1 to " + std::to_string(kMaxPixels));
    pixels_.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), background);
}

Color Picture::at(int x, int y) const { return pixels_.at(index(x, y)); }

void Picture::blend(int x, int y, Color color, float share) {
    if (share <= 0 || x < 0 || y < 0 || x >= width_ || y >= height_) return;
    Color& pixel = pixels_[index(x, y)];
    pixel = mix(pixel, color, share);
}

void Picture::rectangle(float x, float y, float width, float height, Color color) {
    const Span rows = pixels(y, y + height, height_), cols = pixels(x, x + width, width_);
    for (int row = rows.begin; row < rows.end; ++row)
        for (int col = cols.begin; col < cols.end; ++col)
            blend(col, row, color, overlap(col, x, x + width) * overlap(row, y, y + height));
}

void Picture::frame(float x, float y, float width, float height, float thickness, Color color) {
    rectangle(x, y, width, thickness, color);
    rectangle(x, y + height - thickness, width, thickness, color);
    rectangle(x, y + thickness, thickness, height - 2 * thickness, color);
    rectangle(x + width - thickness, y + thickness, thickness, height - 2 * thickness, color);
}

void Picture::line(float x0, float y0, float x1, float y1, float thickness, Color color) {
    const float radius = thickness / 2, dx = x1 - x0, dy = y1 - y0, length2 = dx * dx + dy * dy;
    const Span rows = pixels(std::min(y0, y1) - radius - 1, std::max(y0, y1) + radius + 1, height_);
    const Span cols = pixels(std::min(x0, x1) - radius - 1, std::max(x0, x1) + radius + 1, width_);
    for (int row = rows.begin; row < rows.end; ++row) {
        for (int col = cols.begin; col < cols.end; ++col) {
            const float px = static_cast<float>(col) + 0.5f - x0, py = static_cast<float>(row) + 0.5f - y0;
            const float along = length2 > 0 ? std::clamp((px * dx + py * dy) / length2, 0.0f, 1.0f) : 0.0f;
            const float distance = std::hypot(px - along * dx, py - along * dy);
            // A line thinner than a pixel is paler.
            blend(col, row, color, std::clamp(radius + 0.5f - distance, 0.0f, std::min(thickness, 1.0f)));
        }
    }
}

void Picture::dashed_line(float x0, float y0, float x1, float y1, float thickness, Color color, float dash) {
    const float length = std::hypot(x1 - x0, y1 - y0);
    for (float begin = 0; begin < length && dash > 0; begin += 2 * dash) {
        const float a = begin / length, b = std::min(begin + dash, length) / length;
        line(x0 + a * (x1 - x0), y0 + a * (y1 - y0), x0 + b * (x1 - x0), y0 + b * (y1 - y0), thickness, color);
    }
}

void Picture::disc(float x, float y, float radius, Color color) { line(x, y, x, y, 2 * radius, color); }

std::vector<uint8_t> Picture::png() const {
    std::vector<uint8_t> file;
    const auto append = [](void* target, void* data, int size) {
        const auto* bytes = static_cast<const uint8_t*>(data);
        auto& out = *static_cast<std::vector<uint8_t>*>(target);
        out.insert(out.end(), bytes, bytes + size);
    };
    static_assert(sizeof(Color) == 3);
    if (!stbi_write_png_to_func(append, &file, width_, height_, 3, pixels_.data(), width_ * 3))
        throw std::runtime_error("the picture cannot be compressed");
    return file;
}

void Picture::save(const std::string& path) const {
    const std::vector<uint8_t> file = png();
    errno = 0;
    std::ofstream out(std::filesystem::path(std::u8string(path.begin(), path.end())), std::ios::binary);
    out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
    if (!out.flush()) throw std::runtime_error(path + ": " + (errno ? std::strerror(errno) : "cannot be written"));
}

}  // namespace dragoman::picture
