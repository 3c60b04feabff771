// SPDX-License-Identifier: Apache-2.0
#include "ops/sample.h"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <set>

#include "ops/topk.h"
#include "support/op_test.h"
#include "support/sweep.h"
#include "warper_cases.h"

namespace sample_test {

using namespace dragoman;
using namespace dragoman::test;
using shared::SampleInput;

namespace {

using Words = std::array<uint32_t, 4>;

Words philox(Words counter, uint32_t key_low, uint32_t key_high) {
    for (int round = 0; round < 10; ++round) {
        const uint64_t x = uint64_t(0xD2511F53u) * counter[0], z = uint64_t(0xCD9E8D57u) * counter[2];
        counter = {uint32_t(z >> 32) ^ counter[1] ^ key_low, uint32_t(z), uint32_t(x >> 32) ^ counter[3] ^ key_high,
                   uint32_t(x)};
        key_low += 0x9E3779B9u;
        key_high += 0xBB67AE85u;
    }
    return counter;
}

// Known answers of the generator's authors (Random123, kat_vectors).
struct KnownAnswer {
    Words counter;
    uint32_t key[2];
    Words words;
};
constexpr KnownAnswer kKnownAnswers[] = {{{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
                                         {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                                          {0xffffffff, 0xffffffff},
                                          {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
                                         {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                                          {0xa4093822, 0x299f31d0},
                                          {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};

// A row that draws.
struct Draw {
    SampleInput input;
    uint32_t step = 0;
};

struct Drawn {
    std::vector<uint32_t> columns;
    std::vector<float> values;
};

// Row r draws from row r of x, or from its only row.
Drawn run_sample(Context& context, const Matrix& x, const std::vector<Draw>& draws) {
    const auto rows = uint32_t(draws.size());
    DeviceTensor dx = upload(context, x, DType::f32, 0, (x.cols + 3) / 4 * 4);
    if (x.rows == 1) dx.tensor.stride = 0;
    dx.tensor.rows = rows;
    // Places of the rows are in another order.
    std::vector<uint32_t> places(rows), steps(rows), inputs(rows * sizeof(SampleInput) / 4);
    for (uint32_t r = 0; r < rows; ++r) {
        places[r] = rows - 1 - r;
        steps[places[r]] = draws[r].step;
        std::memcpy(&inputs[places[r] * sizeof(SampleInput) / 4], &draws[r].input, sizeof(SampleInput));
    }
    const auto live_rows = upload(context, places), position = upload(context, steps), given = upload(context, inputs);
    const auto records = context.buffer(ops::column_records_bytes(rows, x.cols), vulkan::BufferUse::device, "records");
    const DeviceTensor values = blank(context, rows, 1, DType::f32), log_sum = blank(context, rows, 1, DType::f32);
    const auto columns = upload(context, std::vector<uint32_t>(rows, 7));
    const LiveRows live(context, rows, rows);
    run(context, live, [&](Recorder& rec) {
        ops::record_columns(rec, dx, *records, live.extent);
        ops::topk(rec, {.x = dx,
                        .records = *records,
                        .k = 1,
                        .values = *values.buffer,
                        .columns = *columns,
                        .log_sum = *log_sum.buffer,
                        .rows = live.extent});
        ops::sample(rec, {.x = dx,
                          .records = *records,
                          .inputs = *given,
                          .live_rows = *live_rows,
                          .position = *position,
                          .values = *values.buffer,
                          .columns = *columns,
                          .rows = live.extent});
    });
    return {download<uint32_t>(context, *columns), download(context, values).values};
}

// The rules as they are written: sorted values, sums of probabilities.
struct Plain {
    std::vector<double> mass;  // 0: not kept
    double margin = 1.0;       // how near rounding was to deciding what is kept

    Plain(const Matrix& x, uint32_t row, const SampleInput& input) : mass(x.cols) {
        std::vector<uint32_t> order;
        for (uint32_t c = 0; c < x.cols; ++c)
            if (x(row, c) > -1e30f) order.push_back(c);
        std::ranges::stable_sort(order, std::greater<>(), [&](uint32_t c) { return x(row, c); });
        const auto value = [&](std::size_t i) { return x(row, order[i]); };
        const auto weight = [&](std::size_t i) {
            return std::exp((double(value(i)) - value(0)) / double(input.temperature));
        };
        if (input.top_k > 0) {
            std::size_t kept = std::min<std::size_t>(input.top_k, order.size());
            while (kept < order.size() && value(kept) == value(kept - 1)) ++kept;
            order.resize(kept);
        }
        if (input.top_p < 1) {
            double total = 0, passed = 0;
            for (std::size_t i = 0; i < order.size(); ++i) total += weight(i);
            std::size_t kept = 0;
            while (kept < order.size() && (kept == 0 || passed < input.top_p * total || value(kept) == value(kept - 1)))
                passed += weight(kept++);
            double before = 0;  // rounding decides where a sum is near the share
            for (std::size_t i = 0; i < order.size(); ++i) {
                before += weight(i);
                margin = std::min(margin, std::abs(before / total - input.top_p));
            }
            order.resize(kept);
        }
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (weight(i) < 1)  // the best one's is exact
                margin = std::min(margin, std::abs(weight(i) / std::max(double(input.min_p), 1e-9) - 1.0));
            if (weight(i) >= input.min_p) mass[order[i]] = weight(i);
        }
    }

    // A part of first .. end - 1, each of `width` columns.
    uint32_t draw(uint32_t first, uint32_t end, uint32_t width, uint32_t word) {
        const auto part = [&](uint32_t i) {
            double sum = 0;
            for (uint32_t c = i * width; c < std::min<uint32_t>((i + 1) * width, uint32_t(mass.size())); ++c)
                sum += mass[c];
            return sum;
        };
        double total = 0;
        for (uint32_t i = first; i < end; ++i) total += part(i);
        const double target = double(word >> 8) * 0x1p-24 * total;
        double passed = 0;
        for (uint32_t i = first; i < end; ++i) {
            passed += part(i);
            margin = std::min(margin, std::abs(passed - target) / total);
            if (passed > target) return i;
        }
        return end - 1;
    }

    uint32_t draw(const Words& words) {
        const auto parts = [&](uint32_t width) { return (uint32_t(mass.size()) + width - 1) / width; };
        const uint32_t block = draw(0, parts(4096), 4096, words[0]);
        const uint32_t tile = draw(block * 64, std::min((block + 1) * 64, parts(64)), 64, words[1]);
        return draw(tile * 64, std::min((tile + 1) * 64, uint32_t(mass.size())), 1, words[2]);
    }
};

Matrix logits(uint32_t rows, uint32_t cols, float reach, bool some_disabled = true) {
    Matrix x = random_matrix(rows, cols, rows + cols, DType::f32, reach);
    const float disabled[] = {-1e30f, -std::numeric_limits<float>::infinity(), -3e38f};
    for (uint32_t i = 0; i < rows * cols && some_disabled && cols > 40; ++i)
        if (i % 13 == 4) x.values[i] = disabled[i % 3];
    return x;
}

const SampleInput kRules[] = {{.temperature = 1.0f, .top_k = 0, .top_p = 1.0f, .min_p = 0.0f},
                              {.temperature = 0.6f, .top_k = 0, .top_p = 1.0f, .min_p = 0.0f},
                              {.temperature = 2.5f, .top_k = 0, .top_p = 1.0f, .min_p = 0.0f},
                              {.temperature = 1.0f, .top_k = 20, .top_p = 1.0f, .min_p = 0.0f},
                              {.temperature = 1.0f, .top_k = 1, .top_p = 1.0f, .min_p = 0.0f},
                              {.temperature = 1.0f, .top_k = 0, .top_p = 0.8f, .min_p = 0.0f},
                              {.temperature = 1.0f, .top_k = 0, .top_p = 0.0f, .min_p = 0.0f},
                              {.temperature = 1.0f, .top_k = 0, .top_p = 1.0f, .min_p = 0.05f},
                              {.temperature = 1.0f, .top_k = 0, .top_p = 1.0f, .min_p = 1.0f},
                              {.temperature = 1.5f, .top_k = 100, .top_p = 0.9f, .min_p = 0.02f}};

// Wilson and Hilferty's approximation: how many standard deviations above its mean.
double deviations(double chi_squared, double freedom) {
    const double spread = 2.0 / (9.0 * freedom);
    return (std::cbrt(chi_squared / freedom) - (1.0 - spread)) / std::sqrt(spread);
}

}  // namespace

TEST_CASE("the generator has its known answers, and the device's columns follow from them") {
    for (const KnownAnswer& known : kKnownAnswers)
        CHECK(philox(known.counter, known.key[0], known.key[1]) == known.words);
    // With 64 x 64 x 64 equal columns, each word's six upper bits name a part.
    const Matrix x{1, 64 * 64 * 64, std::vector<float>(64 * 64 * 64, 0.5f)};
    std::vector<Draw> draws;
    for (const KnownAnswer& known : kKnownAnswers)
        draws.push_back({{.temperature = 1.0f,
                          .top_k = 0,
                          .top_p = 1.0f,
                          .min_p = 0.0f,
                          .seed_low = known.key[0],
                          .seed_high = known.key[1],
                          .sample_index = known.counter[1],
                          .source_low = known.counter[2],
                          .source_high = known.counter[3]},
                         known.counter[0]});
    on_every_device([&](Context& context) {
        const Drawn drawn = run_sample(context, x, draws);
        for (std::size_t i = 0; i < draws.size(); ++i) {
            const Words& words = kKnownAnswers[i].words;
            CHECK(drawn.columns[i] == (words[0] >> 26) * 4096 + (words[1] >> 26) * 64 + (words[2] >> 26));
        }
    });
}

TEST_CASE("draws are those of a plain loop in double precision") {
    const auto check = [](Context& context) {
        for (const uint32_t cols : {1u, 5u, 64u, 65u, 1000u, 5003u})
            for (const SampleInput& rules : kRules) {
                CAPTURE(cols);
                CAPTURE(&rules - kRules);
                const Matrix x = logits(16, cols, 6.0f);
                std::vector<Draw> draws;
                for (uint32_t r = 0; r < x.rows; ++r) {
                    draws.push_back({rules, r * 3});
                    draws.back().input.seed_low = 77 + cols;
                    draws.back().input.sample_index = r % 2;
                    draws.back().input.source_high = r / 2;
                }
                const Drawn drawn = run_sample(context, x, draws);
                uint32_t near = 0, wrong = 0;
                for (uint32_t r = 0; r < x.rows; ++r) {
                    const SampleInput& input = draws[r].input;
                    Plain plain(x, r, input);
                    const uint32_t expected =
                        plain.draw(philox({draws[r].step, input.sample_index, input.source_low, input.source_high},
                                          input.seed_low, input.seed_high));
                    if (plain.margin < 2e-6) ++near;
                    else if (drawn.columns[r] != expected) ++wrong;
                    CHECK(drawn.values[r] == x(r, drawn.columns[r]));
                }
                CHECK(wrong == 0);
                CHECK(near < x.rows / 2);
            }
    };
    on_every_device(check);
    on_every_device(check, true);
}

TEST_CASE("temperature 0 and rows without candidates stay as topk left them") {
    on_every_device([&](Context& context) {
        Matrix x = logits(3, 200, 4.0f);
        for (uint32_t c = 0; c < 200; ++c) x.values[200 + c] = -1e30f;
        std::vector<Draw> draws(3, {kRules[1], 0});
        draws[0].input.temperature = 0.0f;
        const Drawn drawn = run_sample(context, x, draws);
        CHECK(drawn.values[0] == *std::max_element(x.values.begin(), x.values.begin() + 200));
        CHECK(drawn.columns[1] == 0xffffffffu);
        CHECK(drawn.columns[2] < 200);
    });
}

TEST_CASE("what may be drawn is what the warpers of transformers keep") {
    const uint32_t draw_count = full_sweep() ? 3000 : 1500;  // the least probable of what is kept has 0.006
    on_every_device([&](Context& context) {
        for (const WarperCase& c : kWarperCases) {
            CAPTURE(&c - kWarperCases.data());
            const Matrix x{1, uint32_t(c.logits.size()), c.logits};
            std::vector<Draw> draws(
                draw_count,
                {{.temperature = c.temperature, .top_k = c.top_k, .top_p = c.top_p, .min_p = c.min_p, .seed_low = 5}});
            for (uint32_t r = 0; r < draw_count; ++r) draws[r].step = r;
            const Drawn drawn = run_sample(context, x, draws);
            const std::set<uint32_t> found(drawn.columns.begin(), drawn.columns.end());
            CHECK(std::vector<uint32_t>(found.begin(), found.end()) == c.kept);
        }
    });
}

TEST_CASE("equal values stay together") {
    on_every_device([&](Context& context) {
        Matrix x{1, 100, std::vector<float>(100, -9.0f)};
        for (const uint32_t c : {3u, 50u, 70u, 99u}) x.values[c] = 1.0f;  // any two are more than 0.3 of the mass
        const auto found = [&](const SampleInput& rules) {
            std::vector<Draw> draws(500, {rules});
            for (uint32_t r = 0; r < 500; ++r) draws[r].step = r;
            const Drawn drawn = run_sample(context, x, draws);
            return std::set<uint32_t>(drawn.columns.begin(), drawn.columns.end());
        };
        const std::set<uint32_t> equal = {3, 50, 70, 99};
        CHECK(found({.temperature = 1.0f, .top_k = 2, .top_p = 1.0f, .min_p = 0.0f}) == equal);
        CHECK(found({.temperature = 1.0f, .top_k = 0, .top_p = 0.3f, .min_p = 0.0f}) == equal);
        CHECK(found({.temperature = 1.0f, .top_k = 0, .top_p = 1.0f, .min_p = 1.0f}) == equal);
        x.values[3] = 0.0f;
        x.values[50] = -0.0f;
        x.values[70] = x.values[99] = -1.0f;
        CHECK(found({.temperature = 1.0f, .top_k = 1, .top_p = 1.0f, .min_p = 0.0f}) == std::set<uint32_t>{3, 50});
    });
}

// 100,000 of them with full sweeps.
TEST_CASE("25,000 draws have the distribution, by the chi-squared test") {
    const uint32_t draw_count = full_sweep() ? 100'000 : 25'000, together = draw_count / 5;
    on_every_device([&](Context& context) {
        for (const std::size_t number : {0u, 1u, 3u, 5u, 7u, 9u}) {
            constexpr uint32_t cols = 70;
            CAPTURE(number);
            const SampleInput& rules = kRules[number];
            const Matrix x = logits(1, cols, 4.0f);
            std::vector<double> counts(cols);
            for (uint32_t begin = 0; begin < draw_count; begin += together) {
                std::vector<Draw> draws(together, {rules});
                for (uint32_t r = 0; r < together; ++r) {
                    draws[r].input.seed_low = 1234;
                    draws[r].input.sample_index = begin / together;
                    draws[r].input.source_low = r % 100;
                    draws[r].step = r / 100;
                }
                for (const uint32_t column : run_sample(context, x, draws).columns) ++counts[column];
            }
            const std::vector<double> mass = Plain(x, 0, rules).mass;
            double total = 0, chi_squared = 0, freedom = -1, rare_expected = 0, rare_counted = 0;
            for (const double m : mass) total += m;
            const auto add = [&](double counted, double expected) {
                chi_squared += (counted - expected) * (counted - expected) / expected;
                ++freedom;
            };
            for (uint32_t c = 0; c < cols; ++c) {
                const double expected = mass[c] / total * draw_count;
                if (mass[c] == 0) {
                    CHECK(counts[c] == 0);
                } else if (expected >= 5) {
                    add(counts[c], expected);
                } else {
                    rare_expected += expected;
                    rare_counted += counts[c];
                }
            }
            if (rare_expected >= 5) add(rare_counted, rare_expected);
            if (freedom < 1) continue;
            const double above = deviations(chi_squared, freedom);
            MESSAGE(fmt::format("{} columns, rules {}: chi-squared {:.1f} with {} degrees of freedom, {:+.2f}", cols,
                                number, chi_squared, freedom, above));
            CHECK(std::abs(above) < 3.3);  // one in a thousand
        }
    });
}

}  // namespace sample_test
