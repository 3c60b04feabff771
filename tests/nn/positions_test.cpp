// SPDX-License-Identifier: Apache-2.0
#include "nn/positions.h"

#include <doctest/doctest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "nn/plain_transformer.h"

namespace positions_test {

using namespace dragoman;

namespace {

// Buckets as runs: from `begin` on (up to the next run) the bucket is `bucket`.
struct Run {
    int32_t begin;
    uint32_t bucket;
};

void check_runs(const std::vector<Run>& runs, int32_t end, bool bidirectional, uint32_t buckets, uint32_t distance) {
    for (std::size_t i = 0; i < runs.size(); ++i)
        for (int32_t r = runs[i].begin; r < (i + 1 < runs.size() ? runs[i + 1].begin : end); ++r) {
            CAPTURE(r);
            CHECK(nn::relative_bucket(r, bidirectional, buckets, distance) == runs[i].bucket);
        }
}

}  // namespace

TEST_CASE("sinusoids: recorded values") {
    // (d_model, position, frequency, sine, cosine), in double precision.
    const std::vector<std::tuple<uint32_t, uint32_t, uint32_t, double, double>> recorded = {
        {12, 0, 0, 0.8414709848078965, 0.5403023058681398},     {12, 8, 5, 0.0008999998785000041, 0.9999995950000273},
        {512, 0, 0, 0.8414709848078965, 0.5403023058681398},    {512, 99, 100, 0.4273305029252546, -0.9040954823853778},
        {512, 4095, 0, -0.5946419876082146, 0.803990613485849}, {40, 30, 7, 0.863184635806664, 0.5048883881684314},
    };
    for (const auto& [d, position, k, sine, cosine] : recorded) {
        CAPTURE(d);
        CAPTURE(position);
        const std::vector<float> table = nn::sinusoids(position + 1, d, 1);
        REQUIRE(table.size() == uint64_t(position + 1) * d);
        CHECK(std::abs(table[uint64_t(position) * d + k] - sine) < 2e-5);
        CHECK(std::abs(table[uint64_t(position) * d + d / 2 + k] - cosine) < 2e-5);
    }
}

TEST_CASE("sinusoids: the whole table") {
    for (const auto& [d, first] : {std::pair{4u, 1u}, {12u, 0u}, {13u, 2u}, {64u, 0u}, {512u, 1u}}) {
        const uint32_t positions = 1024, n = d / 2;
        const std::vector<float> table = nn::sinusoids(positions, d, first);
        uint64_t wrong = 0;
        for (uint32_t t = 0; t < positions; ++t)
            for (uint32_t c = 0; c < d; ++c) {
                const double exponent = (c % n) * std::log(10000.0) / (n - 1),
                             angle = (t + first) * std::exp(-exponent);
                const double expected = c < n ? std::sin(angle) : c < 2 * n ? std::cos(angle) : 0.0;
                // The exponent and the angle are each rounded to f32 a few times.
                const double allowed = 0x1p-23 * (1 + angle * (exponent + 2));
                if (!(std::abs(table[uint64_t(t) * d + c] - expected) <= allowed)) ++wrong;
            }
        CAPTURE(d);
        CHECK(wrong == 0);
    }
}

TEST_CASE("relative buckets: T5's own numbers") {
    // 32 buckets up to distance 128, from the formula in Python's doubles. 16, 32 and 64 (and -16, ...) lie exactly
    // where a bucket begins: half of 16 buckets are exact, the others divide log 16 by 8.
    check_runs({{-400, 15}, {-90, 14}, {-63, 13}, {-45, 12}, {-31, 11}, {-22, 10}, {-15, 9}, {-11, 8},
                {-7, 7},    {-6, 6},   {-5, 5},   {-4, 4},   {-3, 3},   {-2, 2},   {-1, 1},  {0, 0},
                {1, 17},    {2, 18},   {3, 19},   {4, 20},   {5, 21},   {6, 22},   {7, 23},  {8, 24},
                {12, 25},   {16, 26},  {23, 27},  {32, 28},  {46, 29},  {64, 30},  {91, 31}},
               400, true, 32, 128);
    check_runs({{-400, 31}, {-112, 30}, {-98, 29}, {-86, 28}, {-76, 27}, {-66, 26}, {-58, 25}, {-51, 24},
                {-45, 23},  {-39, 22},  {-34, 21}, {-30, 20}, {-26, 19}, {-23, 18}, {-20, 17}, {-18, 16},
                {-15, 15},  {-14, 14},  {-13, 13}, {-12, 12}, {-11, 11}, {-10, 10}, {-9, 9},   {-8, 8},
                {-7, 7},    {-6, 6},    {-5, 5},   {-4, 4},   {-3, 3},   {-2, 2},   {-1, 1},   {0, 0}},
               400, false, 32, 128);
}

TEST_CASE("relative buckets: few of them, and unusual distances") {
    // 8 buckets, distance 6, worked out by hand. Encoder: 4 a side, exact below 2, 2 + floor(2 log(r / 2) / log 3);
    // decoder: exact below 4, 4 + floor(4 log(r / 4) / log 1.5), so that 5 skips a bucket.
    check_runs({{-9, 3}, {-3, 2}, {-1, 1}, {0, 0}, {1, 5}, {2, 6}, {4, 7}}, 9, true, 8, 6);
    check_runs({{-9, 7}, {-5, 6}, {-4, 4}, {-3, 3}, {-2, 2}, {-1, 1}, {0, 0}}, 9, false, 8, 6);
    for (const auto& [buckets, distance] : {std::pair{8u, 6u}, {12u, 20u}, {16u, 20u}, {64u, 256u}, {32u, 64u}})
        for (const bool bidirectional : {true, false})
            for (int32_t r = -600; r <= 600; ++r) {
                CAPTURE(r);
                CAPTURE(buckets);
                CHECK(nn::relative_bucket(r, bidirectional, buckets, distance) ==
                      test::plain_bucket(r, bidirectional, buckets, distance));
            }
}

}  // namespace positions_test
