// SPDX-License-Identifier: Apache-2.0
#include "heatmap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>

using namespace dragoman::picture;

namespace {

// Pixels. Twice the size that a screen of 96 dpi needs, for denser ones.
constexpr float kCell = 72, kGap = 2, kWordGap = 10, kMargin = 48, kLabelSize = 30, kLabelGap = 14, kSlant = 55;
constexpr float kTitleSize = 34, kNoteSize = 22, kNumberSize = 21, kLineHeight = 1.45f, kBarHeight = 18;
constexpr std::size_t kMostPieces = 150;

constexpr Color kInk{28, 36, 52}, kPale{140, 148, 162}, kEmpty{242, 244, 248};

// From nearly white to dark blue, even steps of weight looking like even steps of brightness.
Color color_of(float weight) {
    constexpr std::array<Color, 5> kScale{{kEmpty, {180, 208, 238}, {96, 158, 214}, {33, 100, 170}, {10, 44, 99}}};
    const float place = std::clamp(weight, 0.0f, 1.0f) * (kScale.size() - 1);
    const auto low = std::min(static_cast<std::size_t>(place), kScale.size() - 2);
    return mix(kScale[low], kScale[low + 1], place - static_cast<float>(low));
}

// Where the cells of a side begin, and after the last one where they end: a word's pieces stand together.
std::vector<float> places(const std::vector<Label>& labels, float begin) {
    std::vector<float> result;
    for (const Label& label : labels) {
        if (!result.empty()) begin += label.begins_word ? kWordGap : kGap;
        result.push_back(begin);
        begin += kCell;
    }
    result.push_back(begin);
    return result;
}

float widest(const std::vector<Label>& labels) {
    float width = 0;
    for (const Label& label : labels) width = std::max(width, text_width(label.text, kLabelSize));
    return width;
}

void write_number(Picture& picture, float x, float y, float weight) {
    if (weight < 0.095f) return;
    char text[8];
    std::snprintf(text, sizeof text, "%.2f", static_cast<double>(weight));
    const char* shown = text[0] == '0' ? text + 1 : text;  // ".42"
    picture.text(x + kCell / 2, y + kCell / 2 + kNumberSize * 0.36f, shown,
                 {.size = kNumberSize, .color = weight < 0.45f ? kInk : kWhite, .align = Align::center});
}

void draw_scale(Picture& picture, float x, float y, float width) {
    for (float at = 0; at < width; ++at) picture.rectangle(std::round(x) + at, y, 1, kBarHeight, color_of(at / width));
    const float base = y + kBarHeight + kNoteSize * 1.3f;
    picture.text(x, base, "0", {.size = kNoteSize, .color = kPale});
    picture.text(x + width / 2, base, "0.5", {.size = kNoteSize, .color = kPale, .align = Align::center});
    picture.text(x + width, base, "1", {.size = kNoteSize, .color = kPale, .align = Align::right});
}

}  // namespace

Picture draw(const Heatmap& map) {
    if (map.columns.empty() || map.rows.empty() || map.weights.size() != map.columns.size() * map.rows.size())
        throw std::invalid_argument("attention: nothing to draw");
    if (std::max(map.columns.size(), map.rows.size()) > kMostPieces)
        throw std::invalid_argument("attention: " + std::to_string(std::max(map.columns.size(), map.rows.size())) +
                                    " pieces, " + std::to_string(kMostPieces) + " fit in a picture");
    const float angle = kSlant * 3.14159265f / 180;
    const float slanted = widest(map.columns);
    const float left = kMargin + widest(map.rows) + kLabelGap;
    const float title = 2 * kTitleSize * kLineHeight;
    const float top = kMargin + title + slanted * std::sin(angle) + kLabelSize * std::cos(angle) + kLabelGap;
    const std::vector<float> x = places(map.columns, left), y = places(map.rows, top);

    const float overhang = slanted * std::cos(angle);  // of the last column's label
    const float scale_width = 5 * kCell;
    const float text = std::max({text_width(map.above, kTitleSize * 0.8f), text_width(map.title, kTitleSize),
                                 text_width(map.note, kNoteSize) + scale_width + kMargin});
    const float width = std::max(x.back() + overhang, kMargin + text) + kMargin;
    const float bottom = y.back() + 0.8f * kMargin, height = bottom + kBarHeight + kNoteSize * 1.5f + 0.6f * kMargin;
    Picture picture(static_cast<int>(width), static_cast<int>(height));

    picture.text(kMargin, kMargin + kTitleSize * 0.8f, map.above, {.size = kTitleSize * 0.8f, .color = kPale});
    picture.text(kMargin, kMargin + kTitleSize * (0.8f + kLineHeight), map.title, {.size = kTitleSize, .color = kInk});
    const auto color = [](const Label& label) { return label.control ? kPale : kInk; };
    for (std::size_t col = 0; col < map.columns.size(); ++col) {
        picture.text(x[col] + kCell / 2 + kLabelSize * 0.3f, top - kLabelGap, map.columns[col].text,
                     {.size = kLabelSize, .color = color(map.columns[col]), .degrees = kSlant});
    }
    for (std::size_t row = 0; row < map.rows.size(); ++row) {
        picture.text(left - kLabelGap, y[row] + kCell / 2 + kLabelSize * 0.35f, map.rows[row].text,
                     {.size = kLabelSize, .color = color(map.rows[row]), .align = Align::right});
        for (std::size_t col = 0; col < map.columns.size(); ++col) {
            const float weight = map.weights[row * map.columns.size() + col];
            picture.rectangle(x[col], y[row], kCell, kCell, color_of(weight));
            write_number(picture, x[col], y[row], weight);
        }
    }
    picture.text(kMargin, bottom + kBarHeight, map.note, {.size = kNoteSize, .color = kPale});
    draw_scale(picture, width - kMargin - scale_width, bottom, scale_width);
    return picture;
}
