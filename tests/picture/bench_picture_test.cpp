// SPDX-License-Identifier: Apache-2.0
// The picture of `dragoman bench --plot`: what stands in it fits, however long names are and however large numbers.
#include <doctest/doctest.h>

#include "../tools/cli/bench_picture.h"
#include "../tools/cli/bench_picture_parts.h"

namespace bench_picture_test {

using namespace cli::bench_picture;
using dragoman::picture::kWhite;
using dragoman::picture::text_width;

namespace {

Report pass(const std::string& name, double size, double share) {
    return {{"name", name},
            {"seconds", {{"median", 0.02 * size}}},
            {"share", share},
            {"count", uint64_t(77 * size) + 1},
            {"of_ceiling", 0.8 * size},
            {"bound", "dispatch"},
            {"flops_per_second", 1e9 * size},
            {"bytes_per_second", 1e8 * size},
            {"flops_per_byte", 10.0}};
}

Report report(const std::string& name, double size, std::size_t passes) {
    Report made = {{"model", {{"path", "/models/" + name}, {"compute_type", "float16"}}},
                   {"device", {{"name", "GPU " + name}, {"driver", "driver " + name}}},
                   {"options", {{"beam_size", 4}}},
                   {"throughput",
                    {{"counters", {{"batches", 1}, {"sentences", 8}}},
                     {"target_tokens_per_second", 200 * size},
                     {"sentences_per_second", 7 * size}}},
                   {"latency", {{"p50_seconds", 0.1 * size}, {"p99_seconds", 0.2 * size}}},
                   {"ceilings", {{"copy_bytes_per_second", 6e9}, {"matmul_flops_per_second", 7e9}}},
                   {"profile", {{"passes_seconds", 1.4 * size}, {"of_ceiling", 0.5}, {"passes", Report::array()}}}};
    for (std::size_t i = 0; i < passes; ++i)
        made["profile"]["passes"].push_back(pass((i % 2 ? "encoder/" : "decoder/") + name, size, i == 0 ? 1.0 : 1e-6));
    return made;
}

// Whether a stretch at the edges is empty.
bool has_margins(const Picture& picture, int margin) {
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) {
            const bool inside = x >= margin && x < picture.width() - margin && y >= margin &&
                                y < picture.height() - margin;
            if (!inside && picture.at(x, y) != kWhite) return false;
        }
    return true;
}

}  // namespace

TEST_CASE("names of any length and numbers of any size fit into the picture") {
    for (const std::string& name : {std::string("x"), std::string(60, 'w'), std::string(400, 'm')})
        for (const double size : {1e-9, 1.0, 1e9}) {
            CAPTURE(name);
            CAPTURE(size);
            for (const std::size_t passes : {1, 12})
                CHECK(has_margins(cli::draw_report(report(name, size, passes)), 8));
        }
    Report bare = report("x", 1, 3);
    bare["ceilings"] = nullptr;
    bare["profile"].erase("of_ceiling");
    CHECK(has_margins(cli::draw_report(bare), 8));
    bare["profile"] = nullptr;
    bare["latency"] = nullptr;
    CHECK(has_margins(cli::draw_report(bare), 8));
}

TEST_CASE("a text without room loses its middle") {
    CHECK(fitted("decoder/ffn", 15, 300) == "decoder/ffn");
    const std::string name = "decoder/cross_attention_keys_and_values/projection", cut = fitted(name, 15, 200);
    CHECK(text_width(cut, 15) <= 200);
    CHECK(text_width(cut, 15) > 150);
    CHECK(cut.starts_with("decoder/"));
    CHECK(cut.ends_with("projection"));
    CHECK(cut.find("…") != std::string::npos);
    for (const float width : {0.0f, 10.0f, 55.0f, 90.0f}) {  // whole characters
        const std::string umlauts = fitted("äöüäöüäöüäöüäöü", 15, width);
        CAPTURE(umlauts);
        CHECK((umlauts.size() - std::string("…").size()) % 2 == 0);
        CHECK((umlauts == "…" || text_width(umlauts, 15) <= width));
    }
}

TEST_CASE("numbers are short and have no exponents") {
    CHECK(duration(4.1e5) == "114 h");
    CHECK(duration(5835) == "5835 s");
    CHECK(duration(1.4) == "1.4 s");
    CHECK(duration(0.508) == "508 ms");
    CHECK(duration(8.24e-4) == "824 µs");
    CHECK(duration(2.05e-8) == "20.5 ns");
    CHECK(duration(6.35e-10) == "0.635 ns");
    CHECK(duration(1e-15) == "< 0.001 ns");
    CHECK(duration(0) == "0 ns");
    CHECK(with_prefix(0, "B/s") == "0 B/s");
    CHECK(with_prefix(999.4, "B/s") == "999 B/s");
    CHECK(with_prefix(1.234e13, "FLOP/s") == "12.3 TFLOP/s");
    CHECK(with_prefix(1.23456789e8, "") == "123 M");
    CHECK(with_prefix(1e30, "B") == "1000000000000 EB");
    CHECK(percent(0.364, 1) == "36.4 %");
    CHECK(percent(1e-5, 1) == "< 0.1 %");
    CHECK(percent(1e-5, 0) == "< 1 %");
    CHECK(percent(0, 1) == "0.0 %");
    CHECK(percent(48.48, 0) == "4848 %");
}

}  // namespace bench_picture_test
