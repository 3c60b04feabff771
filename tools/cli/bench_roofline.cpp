// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bench_picture_parts.h"

namespace cli::bench_picture {
namespace {

using dragoman::picture::Align;
using dragoman::picture::kLightGrey;
using dragoman::picture::text_width;

class LogAxis {
public:
    LogAxis(double low, double high, float begin, float end)
        : low_(std::floor(std::log10(low))), high_(std::ceil(std::log10(high))), begin_(begin), end_(end) {
        if (high_ <= low_) high_ = low_ + 1;
    }
    float at(double value) const {
        return begin_ + (end_ - begin_) * static_cast<float>((std::log10(value) - low_) / (high_ - low_));
    }
    double low() const { return std::pow(10.0, low_); }
    double high() const { return std::pow(10.0, high_); }

private:
    double low_, high_;
    float begin_, end_;
};

constexpr float kMostLabel = 240;

struct Dot {
    std::string name;
    Color color;
    double intensity, flops;
    float share;
};

class Labels {
public:
    Labels(Picture& picture, const Box& area) : picture_(picture), area_(area) {}
    void keep_free(const Box& box) { taken_.push_back(box); }

    // At the first of these places that is free; the last one if none is.
    Box choose(const std::vector<Box>& places) {
        for (const Box& box : places)
            if (free(box)) return taken_.emplace_back(box);
        return taken_.emplace_back(places.back());
    }

    // Beside the dot, at the first place that is free.
    void place(float x, float y, float radius, const std::string& text, Color color) {
        constexpr float kSize = 14, kHeight = 17;
        const float width = text_width(text, kSize);
        Box best{};
        for (int ring = 0; ring < 12; ++ring) {
            const float away = radius + 5 + 12 * static_cast<float>(ring);
            for (int step = 0; step < 16; ++step) {
                const float angle = 6.2831853f * static_cast<float>(step) / 16;
                const float cx = x + away * std::cos(angle), cy = y + away * std::sin(angle);
                const float left = std::cos(angle) < -0.3f ? cx - width : std::cos(angle) > 0.3f ? cx : cx - width / 2;
                const Box box{left, cy - kHeight / 2, width, kHeight};
                if (!free(box)) continue;
                if (ring > 1) {
                    const float to_x = std::clamp(x, box.x, box.x + box.width);
                    picture_.line(x, y, to_x, std::clamp(y, box.y, box.y + box.height), 1, color);
                }
                best = box;
                ring = 12;
                break;
            }
        }
        if (best.width == 0) return;  // no room; the bars name it, too
        taken_.push_back(best);
        picture_.text(best.x, best.y + 13, text, {.size = kSize, .color = color, .halo = 2.5f});
    }

private:
    bool free(const Box& box) const {
        return area_.holds(box) && std::ranges::none_of(taken_, [&](const Box& o) { return o.meets(box); });
    }

    Picture& picture_;
    Box area_;
    std::vector<Box> taken_;
};

}  // namespace

void draw_roofline(Picture& picture, const Box& box, const Report& report) {
    const double bandwidth = report["ceilings"]["copy_bytes_per_second"];
    const double peak = report["ceilings"]["matmul_flops_per_second"];
    std::vector<Dot> dots;
    double low_x = 0.5, high_x = peak / bandwidth * 4, low_y = peak / 10, high_y = peak * 2;
    for (const Report& pass : report["profile"]["passes"]) {
        const double intensity = pass["flops_per_byte"], flops = pass["flops_per_second"];
        if (intensity <= 0 || flops <= 0) continue;
        dots.push_back({fitted(pass["name"], 14, kMostLabel), color_of(pass["name"]), intensity, flops,
                        pass["share"].get<float>()});
        low_x = std::min(low_x, intensity / 1.3);
        high_x = std::max(high_x, intensity * 1.3);
        low_y = std::min(low_y, flops / 1.3);
        high_y = std::max(high_y, flops * 1.3);
    }
    const LogAxis across(low_x, high_x, box.x, box.x + box.width), up(low_y, high_y, box.y + box.height, box.y);
    picture.text(box.x - 78, box.y - 38, "Roofline: passes under the device's measured ceilings",
                 {.size = 19, .color = kText});
    picture.text(box.x - 78, box.y - 15, "dots grow with the share of the time", {.size = 14, .color = kFaint});

    for (double decade = across.low(); decade <= across.high() * 1.001; decade *= 10) {
        for (int digit = 1; digit < 10 && decade * digit <= across.high() * 1.001; ++digit) {
            const float x = across.at(decade * digit);
            picture.line(x, box.y, x, box.y + box.height, digit == 1 ? 1.0f : 0.4f, kLightGrey);
        }
        picture.text(across.at(decade), box.y + box.height + 18,
                     decade < 0.01 || decade > 99999 ? fmt::format("{:.0e}", decade) : fmt::format("{:g}", decade),
                     {.size = 13, .color = kFaint, .align = Align::center});
    }
    for (double decade = up.low(); decade <= up.high() * 1.001; decade *= 10) {
        for (int digit = 1; digit < 10 && decade * digit <= up.high() * 1.001; ++digit) {
            const float y = up.at(decade * digit);
            picture.line(box.x, y, box.x + box.width, y, digit == 1 ? 1.0f : 0.4f, kLightGrey);
        }
        picture.text(box.x - 8, up.at(decade) + 5, with_prefix(decade, ""),
                     {.size = 13, .color = kFaint, .align = Align::right});
    }
    picture.frame(box.x, box.y, box.width, box.height, 1, kFaint);
    picture.text(box.x + box.width / 2, box.y + box.height + 42, "FLOP per byte of memory traffic",
                 {.size = 14, .color = kText, .align = Align::center});
    picture.text(box.x - 64, box.y + box.height / 2, "FLOP/s",
                 {.size = 14, .color = kText, .align = Align::center, .degrees = 90});

    // The roof, from where it enters the frame.
    const double enters = std::max(across.low(), up.low() / bandwidth), ridge = peak / bandwidth;
    const float ridge_x = across.at(std::clamp(ridge, across.low(), across.high())), roof_y = up.at(peak);
    if (ridge > enters) picture.line(across.at(enters), up.at(enters * bandwidth), ridge_x, roof_y, 2.5f, kCeiling);
    picture.line(ridge_x, roof_y, box.x + box.width, roof_y, 2.5f, kCeiling);

    Labels labels(picture, {box.x + 4, box.y + 4, box.width - 8, box.height - 8});
    for (const Dot& dot : dots) {
        const float radius = 4 + 14 * std::sqrt(dot.share);
        labels.keep_free({across.at(dot.intensity) - radius, up.at(dot.flops) - radius, 2 * radius, 2 * radius});
    }
    const std::string roof = "matrix product " + with_prefix(peak, "FLOP/s");
    const float roof_width = text_width(roof, 14), right = box.x + box.width - roof_width - 8;
    std::vector<Box> places;
    for (const float y : {roof_y - 22, roof_y + 4})
        for (float x = right; x >= ridge_x; x -= 20) places.push_back({x, y, roof_width, 18});
    places.push_back({right, roof_y - 22, roof_width, 18});
    const Box roof_box = labels.choose(places);
    picture.text(roof_box.x, roof_box.y + 14, roof, {.size = 14, .color = kCeiling, .halo = 2});
    labels.keep_free({ridge_x, roof_y - 2, box.x + box.width - ridge_x, 4});
    if (ridge > enters * 1.5) {
        const float x0 = across.at(enters), y0 = up.at(enters * bandwidth);
        const float degrees = std::atan2(y0 - roof_y, ridge_x - x0) * 57.29578f;
        const float middle_x = (x0 + ridge_x) / 2, middle_y = (y0 + roof_y) / 2;
        const float radians = degrees / 57.29578f;
        picture.text(middle_x - 9 * std::sin(radians), middle_y - 9 * std::cos(radians),
                     "copy " + with_prefix(bandwidth, "B/s"),
                     {.size = 14, .color = kCeiling, .align = Align::center, .degrees = degrees, .halo = 2});
        for (int i = 0; i <= 40; ++i) {  // labels stay clear of the slope
            const float t = static_cast<float>(i) / 40;
            labels.keep_free({x0 + t * (ridge_x - x0) - 4, y0 + t * (roof_y - y0) - 4, 8, 8});
        }
    }
    for (const Dot& dot : dots)
        picture.disc(across.at(dot.intensity), up.at(dot.flops), 4 + 14 * std::sqrt(dot.share),
                     mix(dot.color, dragoman::picture::kWhite, 0.15f));
    for (const Dot& dot : dots)
        labels.place(across.at(dot.intensity), up.at(dot.flops), 4 + 14 * std::sqrt(dot.share), dot.name, dot.color);
}

}  // namespace cli::bench_picture
