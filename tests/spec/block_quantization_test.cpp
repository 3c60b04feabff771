// SPDX-License-Identifier: Apache-2.0
#include "spec/block_quantization.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "base/half.h"

namespace block_quantization_test {

using namespace dragoman;

namespace {

std::vector<float> normal(std::size_t count, unsigned seed, float deviation) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> distribution(0.0f, deviation);
    std::vector<float> values(count);
    for (float& value : values) value = distribution(engine);
    return values;
}

std::vector<float> there_and_back(DType type, const std::vector<float>& values) {
    std::vector<std::byte> blocks(size_bytes(type, values.size()));
    REQUIRE(spec::quantize(type, values, blocks));
    std::vector<float> result(values.size());
    spec::dequantize(type, blocks, 0, result);
    return result;
}

double relative_error(const std::vector<float>& values, const std::vector<float>& others) {
    double error = 0, size = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        error += (double(values[i]) - others[i]) * (double(values[i]) - others[i]);
        size += double(values[i]) * values[i];
    }
    return std::sqrt(error / size);
}

}  // namespace

TEST_CASE("blocks hold what the format says") {
    std::vector<std::byte> q8(34), q4(20);
    const auto set = [](std::vector<std::byte>& block, std::size_t at, unsigned value) {
        block[at] = std::byte(value);
    };
    set(q8, 1, 0x38);  // 0.5
    for (unsigned j = 0; j < 32; ++j) set(q8, 2 + j, j < 16 ? j : 256 - j);
    set(q4, 1, 0x38);  // 0.5
    set(q4, 3, 0xc0);  // -2
    for (unsigned j = 0; j < 16; ++j) set(q4, 4 + j, j | (15 - j) << 4);
    std::vector<float> values(32);
    spec::dequantize(DType::q8, q8, 0, values);
    for (int j = 0; j < 32; ++j) CHECK(values[std::size_t(j)] == 0.5f * float(j < 16 ? j : -j));
    spec::dequantize(DType::q4, q4, 0, values);
    for (int j = 0; j < 32; ++j) CHECK(values[std::size_t(j)] == 0.5f * float(j < 16 ? j : 31 - j) - 2.0f);
    float one[3];
    spec::dequantize(DType::q4, q4, 15, one);
    CHECK(one[0] == 5.5f);
    CHECK(one[1] == 5.5f);
    CHECK(one[2] == 5.0f);
}

TEST_CASE("values come back nearly as they went") {
    for (const float deviation : {1e-2f, 1.0f, 300.0f}) {
        const auto values = normal(32 * 500, 7, deviation);
        CHECK(relative_error(values, there_and_back(DType::q8, values)) < 0.0055);
        CHECK(relative_error(values, there_and_back(DType::q4, values)) < 0.075);
    }
}

TEST_CASE("blocks of one value, of zeros and of whole numbers are exact") {
    CHECK(there_and_back(DType::q8, std::vector<float>(64)) == std::vector<float>(64));
    CHECK(there_and_back(DType::q4, std::vector<float>(64)) == std::vector<float>(64));
    CHECK(there_and_back(DType::q4, std::vector<float>(32, -0.75f)) == std::vector<float>(32, -0.75f));
    std::vector<float> whole(32);
    for (std::size_t j = 0; j < 32; ++j) whole[j] = float(int(j * 7 % 16) - 3);
    CHECK(there_and_back(DType::q4, whole) == whole);
    whole[3] = 127, whole[9] = -127;
    CHECK(there_and_back(DType::q8, whole) == whole);
}

TEST_CASE("what is not finite or too large is refused") {
    for (const DType type : {DType::q8, DType::q4})
        for (const float value : {INFINITY, -INFINITY, NAN, 3e38f, type == DType::q8 ? 1e8f : 1e7f}) {
            CAPTURE(value);
            std::vector<float> values = normal(32, 1, 1.0f);
            values[20] = value;
            std::vector<std::byte> blocks(size_bytes(type, 32));
            CHECK_FALSE(spec::quantize(type, values, blocks));
        }
}

}  // namespace block_quantization_test
