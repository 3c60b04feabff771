// SPDX-License-Identifier: Apache-2.0
#include "base/os/path_text.h"
#include "bench_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace cli {
namespace {

using dragoman::picture::Align;
using dragoman::picture::Color;
using dragoman::picture::kBlack;
using dragoman::picture::kLightGrey;
using dragoman::picture::Picture;
using dragoman::picture::text_width;
using Report = nlohmann::ordered_json;

constexpr int kWidth = 1640;
constexpr Color kText{40, 40, 48}, kFaint{120, 120, 130}, kEncoder{27, 140, 90}, kDecoder{44, 98, 190},
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

float number(const Report& value) { return value.get<float>(); }

Color color_of(const std::string& pass) {
    return pass.starts_with("encoder/") ? kEncoder : pass.starts_with("decoder/") ? kDecoder : kOther;
}

// 1.2 GB/s, 340 MB/s, 17 kB/s: three digits.
std::string with_prefix(double value, const char* unit) {
    static constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P"};
    std::size_t i = 0;
    while (std::abs(value) >= 999.5 && i + 1 < std::size(kPrefixes)) value /= 1000, ++i;
    return fmt::format("{:.3g} {}{}", value, kPrefixes[i], unit);
}

std::string duration(double seconds) {
    if (seconds >= 0.9995) return fmt::format("{:.3g} s", seconds);
    return seconds >= 0.9995e-3 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.3g} µs", seconds * 1e6);
}

// ------------------------------------------------------------------------------------------------- bars

constexpr float kRow = 46, kBar = 15, kNames = 210, kNumbers = 190;

void draw_bars(Picture& picture, const Box& box, const Report& profile) {
    const Report& passes = profile["passes"];
    const bool ceilings = profile.contains("of_ceiling");
    const float left = box.x + kNames, right = box.x + box.width - kNumbers, width = right - left;
    picture.text(box.x, box.y - 38, fmt::format("Device time by pass: {} in all", duration(profile["passes_seconds"])),
                 {.size = 19, .color = kText});
    float x = box.x;
    const auto legend = [&](Color color, const std::string& text) {
        picture.rectangle(x, box.y - 22, 12, 12, color);
        picture.text(x + 18, box.y - 11, text, {.size = 14, .color = kText});
        x += 18 + text_width(text, 14) + 22;
    };
    legend(kDecoder, "decoder, share of the time");
    legend(kEncoder, "encoder");
    if (ceilings) legend(kCeiling, "of the ceiling: least time / time");
    for (int percent = 0; percent <= 100; percent += 20) {
        const float at = left + width * static_cast<float>(percent) / 100;
        picture.line(at, box.y, at, box.y + box.height - 22, 1, kLightGrey);
        picture.text(at, box.y + box.height - 4, fmt::format("{} %", percent),
                     {.size = 13, .color = kFaint, .align = Align::center});
    }
    float y = box.y + 6;
    for (const Report& pass : passes) {
        const std::string name = pass["name"];
        picture.text(left - 10, y + kBar + 5, name, {.size = 15, .color = kText, .align = Align::right});
        const float share = number(pass["share"]);
        const float share_width = std::max(share * width, 1.0f);
        picture.rectangle(left, y, share_width, kBar, color_of(name));
        picture.text(left + share_width + 6, y + 13, fmt::format("{:.1f} %", share * 100),
                     {.size = 13, .color = kText, .halo = 2});
        picture.text(right + 12, y + 13,
                     fmt::format("{}, {} ×", duration(pass["seconds"]["median"]), pass["count"].get<uint64_t>()),
                     {.size = 13, .color = kFaint});
        if (ceilings) {
            const float of = number(pass["of_ceiling"]);
            const float of_width = std::clamp(of * width, 1.0f, width);
            picture.rectangle(left, y + kBar + 1, of_width, kBar, kCeiling);
            const std::string text = fmt::format("{:.0f} %, bound by {}", of * 100, pass["bound"].get<std::string>());
            const bool inside = of_width + text_width(text, 13) + 10 > width;
            picture.text(inside ? left + of_width - 6 : left + of_width + 6, y + kBar + 14, text,
                         {.size = 13,
                          .color = inside ? dragoman::picture::kWhite : kText,
                          .align = inside ? Align::right : Align::left,
                          .halo = inside ? 0.0f : 2.0f});
            const double flops = pass["flops_per_second"], bytes = pass["bytes_per_second"];
            std::string rates;
            if (flops > 0) rates = with_prefix(flops, "FLOP/s") + ", ";
            if (bytes > 0) rates += with_prefix(bytes, "B/s");
            picture.text(right + 12, y + kBar + 14, rates, {.size = 13, .color = kFaint});
        }
        y += kRow;
    }
}

// --------------------------------------------------------------------------------------------- roofline

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

struct Dot {
    std::string name;
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

void draw_roofline(Picture& picture, const Box& box, const Report& report) {
    const double bandwidth = report["ceilings"]["copy_bytes_per_second"];
    const double peak = report["ceilings"]["matmul_flops_per_second"];
    std::vector<Dot> dots;
    double low_x = 0.5, high_x = peak / bandwidth * 4, low_y = peak / 10, high_y = peak * 2;
    for (const Report& pass : report["profile"]["passes"]) {
        const double intensity = pass["flops_per_byte"], flops = pass["flops_per_second"];
        if (intensity <= 0 || flops <= 0) continue;
        dots.push_back({pass["name"], intensity, flops, number(pass["share"])});
        low_x = std::min(low_x, intensity / 1.3);
        high_x = std::max(high_x, intensity * 1.3);
        low_y = std::min(low_y, flops / 1.3);
        high_y = std::max(high_y, flops * 1.3);
    }
    const LogAxis across(low_x, high_x, box.x, box.x + box.width), up(low_y, high_y, box.y + box.height, box.y);
    picture.text(box.x - 78, box.y - 42, "Roofline: passes under the device's measured ceilings",
                 {.size = 19, .color = kText});
    picture.text(box.x - 78, box.y - 19, "dots grow with the share of the time", {.size = 14, .color = kFaint});

    for (double decade = across.low(); decade <= across.high() * 1.001; decade *= 10) {
        for (int digit = 1; digit < 10 && decade * digit <= across.high() * 1.001; ++digit) {
            const float x = across.at(decade * digit);
            picture.line(x, box.y, x, box.y + box.height, digit == 1 ? 1.0f : 0.4f, kLightGrey);
        }
        picture.text(across.at(decade), box.y + box.height + 18, fmt::format("{:g}", decade),
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
                     mix(color_of(dot.name), dragoman::picture::kWhite, 0.15f));
    for (const Dot& dot : dots)
        labels.place(across.at(dot.intensity), up.at(dot.flops), 4 + 14 * std::sqrt(dot.share), dot.name,
                     color_of(dot.name));
}

std::string headline(const Report& report) {
    const std::filesystem::path path = dragoman::path_of(report["model"]["path"].get<std::string>());
    const std::string name = dragoman::text_of(path.has_filename() ? path.filename() : path.parent_path().filename());
    return fmt::format("{} ({}) on {}", name, report["model"]["compute_type"].get<std::string>(),
                       report["device"]["name"].get<std::string>());
}

std::string second_line(const Report& report) {
    const Report& throughput = report["throughput"];
    const auto batches = throughput["counters"]["batches"].get<uint64_t>();
    std::string text = fmt::format("beam {}, {} sentences in {} batch{}: {:.4g} target tokens/s, {:.4g} sentences/s",
                                   report["options"]["beam_size"].get<uint64_t>(),
                                   throughput["counters"]["sentences"].get<uint64_t>(), batches,
                                   batches == 1 ? "" : "es", number(throughput["target_tokens_per_second"]),
                                   number(throughput["sentences_per_second"]));
    if (!report["latency"].is_null())
        text += fmt::format("; one alone: p50 {}, p99 {}", duration(report["latency"]["p50_seconds"]),
                            duration(report["latency"]["p99_seconds"]));
    return text;
}

}  // namespace

Picture draw_report(const Report& report) {
    const Report& profile = report["profile"];
    const std::size_t rows = profile.is_null() ? 0 : profile["passes"].size();
    const float height = std::max(static_cast<float>(rows) * kRow + 34, 430.0f);
    Picture picture(kWidth, static_cast<int>(height) + 230);
    picture.text(24, 40, headline(report), {.size = 25, .color = kBlack});
    picture.text(24, 68, second_line(report), {.size = 16, .color = kText});
    if (profile.is_null()) {
        picture.text(24, 130, "The device has no timestamps, or passes were not asked for.",
                     {.size = 16, .color = kText});
        return picture;
    }
    draw_bars(picture, {24, 160, 860, static_cast<float>(rows) * kRow + 34}, profile);
    if (!report["ceilings"].is_null()) draw_roofline(picture, {1004, 160, 610, height - 20}, report);
    return picture;
}

}  // namespace cli
