// SPDX-License-Identifier: Apache-2.0
#include "bench_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/os/path_text.h"
#include "bench_picture_parts.h"

namespace cli {
namespace {

using namespace bench_picture;
using dragoman::picture::kBlack;

constexpr int kWidth = 1640;
constexpr float kEdge = 24;

std::string model_line(const Report& report) {
    const std::filesystem::path path = dragoman::path_of(report["model"]["path"].get<std::string>());
    const std::string name = dragoman::text_of(path.has_filename() ? path.filename() : path.parent_path().filename());
    return name + " (" + report["model"]["compute_type"].get<std::string>() + ")";
}

// Numbers of any size.
std::string rate(const Report& value) {
    const double number = value;
    return number >= 1e4 || (number > 0 && number < 1e-3) ? with_prefix(number, "") : fmt::format("{:.4g}", number);
}

std::string work_line(const Report& report) {
    const Report& throughput = report["throughput"];
    const auto batches = throughput["counters"]["batches"].get<uint64_t>();
    std::string text = fmt::format("beam {}, {} sentences in {} batch{}: {} target tokens/s, {} sentences/s",
                                   report["options"]["beam_size"].get<uint64_t>(),
                                   throughput["counters"]["sentences"].get<uint64_t>(), batches,
                                   batches == 1 ? "" : "es", rate(throughput["target_tokens_per_second"]),
                                   rate(throughput["sentences_per_second"]));
    if (!report["latency"].is_null())
        text += fmt::format("; one alone: p50 {}, p99 {}", duration(report["latency"]["p50_seconds"]),
                            duration(report["latency"]["p99_seconds"]));
    return text;
}

}  // namespace

Picture draw_report(const Report& report) {
    const Report& profile = report["profile"];
    const std::size_t rows = profile.is_null() ? 0 : profile["passes"].size();
    const float height = std::max(static_cast<float>(rows) * kBarRow + 34, 430.0f), room = kWidth - 2 * kEdge;
    Picture picture(kWidth, static_cast<int>(height) + 250);
    const auto line = [&](float y, const std::string& text, float size, Color color) {
        picture.text(kEdge, y, fitted(text, size, room), {.size = size, .color = color});
    };
    line(40, model_line(report), 25, kBlack);
    line(66, "on " + report["device"]["name"].get<std::string>() + ", " + report["device"]["driver"].get<std::string>(),
         16, kText);
    line(90, work_line(report), 16, kText);
    if (profile.is_null()) {
        line(150, "The device has no timestamps, or passes were not asked for.", 16, kText);
        return picture;
    }
    draw_bars(picture, {kEdge, 180, 860, static_cast<float>(rows) * kBarRow + 34}, profile);
    if (!report["ceilings"].is_null()) draw_roofline(picture, {1004, 180, 610, height - 20}, report);
    return picture;
}

}  // namespace cli
