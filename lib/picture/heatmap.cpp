// SPDX-License-Identifier: Apache-2.0
#include "picture/heatmap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <stdexcept>

namespace dragoman::picture {
namespace {

// Pixels. Twice the size that a screen of 96 dpi needs, for denser ones.
constexpr float kCell = 72, kGap = 2, kWordGap = 10, kMargin = 48, kLabelSize = 30, kLabelGap = 14, kSlant = 55;
constexpr float kAboveSize = 28, kTitleSize = 34, kLineHeight = 1.45f, kNumberSize = 21;
constexpr float kNoteSize = 22, kBarHeight = 18, kScaleWidth = 5 * kCell, kWidest = 2400;
constexpr std::size_t kMaxPieces = 150;

constexpr Color kInk{28, 36, 52}, kPale{140, 148, 162}, kEmpty{242, 244, 248};

// From nearly white to dark blue, even steps of weight looking like even steps of brightness.
Color color_of(float weight) {
    constexpr std::array<Color, 5> kScale{{kEmpty, {180, 208, 238}, {96, 158, 214}, {33, 100, 170}, {10, 44, 99}}};
    const float place = std::clamp(weight, 0.0f, 1.0f) * (kScale.size() - 1);
    const auto low = std::min(static_cast<std::size_t>(place), kScale.size() - 2);
    return mix(kScale[low], kScale[low + 1], place - static_cast<float>(low));
}

// Where each cell of a side begins, and where the last one ends: the pieces of a word stand together.
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

// The place of a map in the picture, and of its parts.
class Block {
public:
    explicit Block(const Heatmap& map) : map_(map) {
        if (map.columns.empty() || map.rows.empty() || map.weights.size() != map.columns.size() * map.rows.size())
            throw std::invalid_argument("attention: nothing to draw");
        if (const std::size_t pieces = std::max(map.columns.size(), map.rows.size()); pieces > kMaxPieces)
            throw std::invalid_argument("attention: " + std::to_string(pieces) + " pieces, " +
                                        std::to_string(kMaxPieces) + " fit in a picture");
        const float angle = kSlant * 3.14159265f / 180, slanted = widest(map.columns);
        left_ = widest(map.rows) + kLabelGap;
        top_ = 2 * kTitleSize * kLineHeight + slanted * std::sin(angle) + kLabelSize * std::cos(angle) + kLabelGap;
        columns_ = places(map.columns, left_);
        rows_ = places(map.rows, top_);
        width = std::max({columns_.back() + slanted * std::cos(angle) - kCell / 2, text_width(map.above, kAboveSize),
                          text_width(map.title, kTitleSize)});
        height = rows_.back();
    }

    void draw(Picture& picture) const {
        picture.text(x, y + kAboveSize, map_.above, {.size = kAboveSize, .color = kPale});
        picture.text(x, y + kAboveSize + kTitleSize * kLineHeight, map_.title, {.size = kTitleSize, .color = kInk});
        const auto color = [](const Label& label) { return label.control ? kPale : kInk; };
        for (std::size_t col = 0; col < map_.columns.size(); ++col) {
            const Label& label = map_.columns[col];
            picture.text(x + columns_[col] + kCell / 2 + kLabelSize * 0.3f, y + top_ - kLabelGap, label.text,
                         {.size = kLabelSize, .color = color(label), .degrees = kSlant});
        }
        for (std::size_t row = 0; row < map_.rows.size(); ++row) {
            const float cell_y = y + rows_[row];
            picture.text(x + left_ - kLabelGap, cell_y + kCell / 2 + kLabelSize * 0.35f, map_.rows[row].text,
                         {.size = kLabelSize, .color = color(map_.rows[row]), .align = Align::right});
            for (std::size_t col = 0; col < map_.columns.size(); ++col) {
                const float weight = map_.weights[row * map_.columns.size() + col];
                picture.rectangle(x + columns_[col], cell_y, kCell, kCell, color_of(weight));
                write_number(picture, x + columns_[col], cell_y, weight);
            }
        }
    }

    float x = kMargin, y = kMargin, width = 0, height = 0;

private:
    const Heatmap& map_;
    float left_ = 0, top_ = 0;
    std::vector<float> columns_, rows_;
};

}  // namespace

Label piece_label(std::string_view piece) {
    constexpr std::string_view kWord = "▁";
    if (piece == "</s>") return {.text = "end", .control = true};
    if (piece.starts_with(">>") && piece.ends_with("<<"))
        return {.text = std::string(piece.substr(2, piece.size() - 4)), .control = true};
    const bool begins_word = piece.starts_with(kWord);
    if (begins_word) piece.remove_prefix(kWord.size());
    return {.text = std::string(piece.empty() ? "␣" : piece), .begins_word = begins_word};
}

void add_end_of_source(Heatmap& map) {
    const std::size_t rows = map.rows.size(), cols = map.columns.size();
    std::vector<float> with_end;
    float most = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        const auto begin = map.weights.begin() + static_cast<std::ptrdiff_t>(row * cols);
        const auto end = begin + static_cast<std::ptrdiff_t>(cols);
        with_end.insert(with_end.end(), begin, end);
        with_end.push_back(std::max(1 - std::accumulate(begin, end, 0.0f), 0.0f));
        most = std::max(most, with_end.back());
    }
    if (most < 0.001f) return;
    map.weights = std::move(with_end);
    map.columns.push_back({.text = "end", .control = true});
}

Picture draw_heatmaps(const std::vector<Heatmap>& maps, const std::string& note) {
    std::vector<Block> blocks(maps.begin(), maps.end());
    float right = kMargin, bottom = 0, x = kMargin, y = kMargin;
    for (Block& block : blocks) {
        if (x > kMargin && x + block.width > kWidest) {
            x = kMargin;
            y = bottom + 1.5f * kMargin;
        }
        block.x = std::round(x);
        block.y = std::round(y);
        right = std::max(right, block.x + block.width);
        bottom = std::max(bottom, block.y + block.height);
        x = block.x + block.width + 2 * kMargin;
    }
    right = std::max(right, 2 * kMargin + text_width(note, kNoteSize) + kScaleWidth);
    bottom += 0.9f * kMargin;
    const float height = bottom + kBarHeight + 1.5f * kNoteSize + kMargin / 2;
    Picture picture(static_cast<int>(right + kMargin), static_cast<int>(height));
    for (const Block& block : blocks) block.draw(picture);
    picture.text(kMargin, bottom + kBarHeight, note, {.size = kNoteSize, .color = kPale});
    draw_scale(picture, right - kScaleWidth, bottom, kScaleWidth);
    return picture;
}

}  // namespace dragoman::picture
