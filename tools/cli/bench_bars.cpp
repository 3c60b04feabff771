// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "bench_picture_parts.h"

namespace cli::bench_picture {
namespace {

using dragoman::picture::Align;
using dragoman::picture::kLightGrey;
using dragoman::picture::kWhite;
using dragoman::picture::text_width;

constexpr float kThickness = 15, kNameSize = 15, kLabelSize = 13;
constexpr float kMostName = 330, kGap = 12;

// What stands beside the bars of a pass.
struct Row {
    std::string name, share_text, times, ceiling_text, rates;
    float share = 0, of_ceiling = 0;
    Color color;
};

Row row_of(const Report& pass, bool ceilings) {
    Row row{.name = fitted(pass["name"], kNameSize, kMostName), .color = color_of(pass["name"])};
    row.share = pass["share"].get<float>();
    row.share_text = percent(pass["share"].get<double>(), 1);
    const double count = pass["count"];
    row.times = duration(pass["seconds"]["median"]) + ", " +
                (count < 1e6 ? fmt::format("{:.0f}", count) : with_prefix(count, "")) + " ×";
    if (!ceilings) return row;
    row.of_ceiling = pass["of_ceiling"].get<float>();
    row.ceiling_text = percent(pass["of_ceiling"].get<double>(), 0) + ", bound by " + pass["bound"].get<std::string>();
    const double flops = pass["flops_per_second"], bytes = pass["bytes_per_second"];
    if (flops > 0) row.rates = with_prefix(flops, "FLOP/s");
    if (bytes > 0) row.rates += (row.rates.empty() ? "" : ", ") + with_prefix(bytes, "B/s");
    return row;
}

class Bars {
public:
    Bars(Picture& picture, const Box& box, const Report& profile)
        : picture_(picture), box_(box), ceilings_(profile.contains("of_ceiling")) {
        float names = 0, numbers = 0;
        for (const Report& pass : profile["passes"]) {
            rows_.push_back(row_of(pass, ceilings_));
            const Row& row = rows_.back();
            names = std::max(names, text_width(row.name, kNameSize));
            numbers = std::max({numbers, text_width(row.times, kLabelSize), text_width(row.rates, kLabelSize)});
        }
        left_ = box.x + names + kGap;
        right_ = box.x + box.width - numbers - 2 * kGap;
    }

    void draw(const std::string& title) {
        picture_.text(box_.x, box_.y - 38, title, {.size = 19, .color = kText});
        draw_legend();
        draw_scale();
        float y = box_.y + 6;
        for (const Row& row : rows_) {
            draw(row, y);
            y += kBarRow;
        }
    }

private:
    void draw_legend() {
        float x = box_.x;
        const auto add = [&](Color color, const std::string& text) {
            picture_.rectangle(x, box_.y - 26, 12, 12, color);
            picture_.text(x + 18, box_.y - 15, text, {.size = 14, .color = kText});
            x += 18 + text_width(text, 14) + 22;
        };
        const auto any = [&](Color color) { return std::ranges::find(rows_, color, &Row::color) != rows_.end(); };
        if (any(kDecoder)) add(kDecoder, "decoder, share of the time");
        if (any(kEncoder)) add(kEncoder, any(kDecoder) ? "encoder" : "encoder, share of the time");
        if (any(kOther)) add(kOther, "others");
        if (ceilings_) add(kCeiling, "of the ceiling: least time / time");
    }

    void draw_scale() {
        const float width = right_ - left_;
        for (int part = 0; part <= 100; part += 20) {
            const float at = left_ + width * float(part) / 100;
            picture_.line(at, box_.y, at, box_.y + box_.height - 22, 1, kLightGrey);
            picture_.text(at, box_.y + box_.height - 4, fmt::format("{} %", part),
                          {.size = kLabelSize, .color = kFaint, .align = Align::center});
        }
    }

    void draw(const Row& row, float y) {
        const float middle = ceilings_ ? y + kThickness + 5 : y + 13;
        picture_.text(left_ - kGap, middle, row.name, {.size = kNameSize, .color = kText, .align = Align::right});
        draw_bar(y, row.share, row.color, row.share_text);
        picture_.text(right_ + 2 * kGap, y + 13, row.times, {.size = kLabelSize, .color = kFaint});
        if (!ceilings_) return;
        draw_bar(y + kThickness + 1, row.of_ceiling, kCeiling, row.ceiling_text);
        picture_.text(right_ + 2 * kGap, y + kThickness + 14, row.rates, {.size = kLabelSize, .color = kFaint});
    }

    // A bar with its text behind it, or inside where there is no room.
    void draw_bar(float y, float share, Color color, const std::string& text) {
        const float width = right_ - left_, length = std::clamp(share * width, 1.0f, width);
        picture_.rectangle(left_, y, length, kThickness, color);
        if (share > 1.005f)  // it goes on beyond the scale
            for (const float at : {right_, right_ + 5})
                picture_.line(at, y + 3, at + 4, y + kThickness / 2, 2, color),
                    picture_.line(at + 4, y + kThickness / 2, at, y + kThickness - 3, 2, color);
        const bool inside = length + text_width(text, kLabelSize) + 10 > width;
        picture_.text(inside ? left_ + length - 6 : left_ + length + 6, y + 13, text,
                      {.size = kLabelSize,
                       .color = inside ? kWhite : kText,
                       .align = inside ? Align::right : Align::left,
                       .halo = inside ? 0.0f : 2.0f});
    }

    Picture& picture_;
    const Box box_;
    const bool ceilings_;
    std::vector<Row> rows_;
    float left_ = 0, right_ = 0;  // of the bars
};

}  // namespace

void draw_bars(Picture& picture, const Box& box, const Report& profile) {
    Bars(picture, box, profile)
        .draw(fmt::format("Device time by pass: {} in all", duration(profile["passes_seconds"])));
}

}  // namespace cli::bench_picture
