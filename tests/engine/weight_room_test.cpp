// SPDX-License-Identifier: Apache-2.0
// Models that a device has no room for are refused before anything is uploaded, and the error says what would fit.
#include "engine/weight_room.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "engine/model.h"
#include "nn/weight_bytes.h"
#include "spec/random_model.h"

namespace weight_room_test {

using namespace dragoman;
using engine::no_room_for_weights;
using engine::WeightChoice;

namespace {

constexpr uint64_t kGiB = 1ull << 30;

std::string refused(uint64_t limit, const test::RandomModel& model, engine::ComputeType type) {
    const auto device = engine::Device::open({.memory_limit_bytes = limit});
    try {
        const engine::Model loaded(device, model.config, model.weights, type, "random");
    } catch (const Error& error) {
        CHECK(error.status() == Status::out_of_memory);
        CHECK(device->context().stats().memory_peak_bytes == 0);
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("what would fit in place of weights that do not") {
    const std::vector<WeightChoice> others{{"compute type float16", 59 * kGiB / 10},
                                           {"dragoman convert --type q8", 31 * kGiB / 10},
                                           {"dragoman convert --type q4", 17 * kGiB / 10}};
    const auto text = [&](uint64_t available) {
        return no_room_for_weights("madlad", {"float32", 118 * kGiB / 10}, available, "a phone", others);
    };
    CHECK(text(4 * kGiB) ==
          "madlad: its weights take 11.8 GiB as float32, a phone has room for 4.0 GiB; what would fit: "
          "dragoman convert --type q8 (3.1 GiB), dragoman convert --type q4 (1.7 GiB)");
    CHECK(text(8 * kGiB).find("what would fit: compute type float16 (5.9 GiB), ") != std::string::npos);
    CHECK(text(kGiB / 2) ==
          "madlad: its weights take 11.8 GiB as float32, a phone has room for 512.0 MiB; not even "
          "dragoman convert --type q4 (1.7 GiB) would fit");
    CHECK(no_room_for_weights("m", {"q4", 2 * kGiB}, kGiB, "a phone", {}) ==
          "m: its weights take 2.0 GiB as q4, a phone has room for 1.0 GiB");
}

TEST_CASE("a model is refused before anything is uploaded") {
    spec::TransformerConfig config{.d_model = 64,
                                   .encoder_ffn = 64,
                                   .decoder_ffn = 64,
                                   .source_vocabulary = 4000,
                                   .target_vocabulary = 4000,
                                   .encoder = {.layers = 1, .heads = 2, .head_dim = 32},
                                   .decoder = {.layers = 1, .heads = 2, .head_dim = 32}};
    config.encoder.positions = config.decoder.positions = spec::Positions::none;
    const test::RandomModel model(config, {});
    const uint64_t whole = nn::weight_bytes(config, model.weights, DType::f32),
                   q8 = nn::weight_bytes(config, model.weights, DType::f32, DType::q8),
                   q4 = nn::weight_bytes(config, model.weights, DType::f32, DType::q4);
    REQUIRE(q4 < q8);
    REQUIRE(q8 < whole);
    const auto f32 = engine::ComputeType::f32;
    const std::string some = refused(whole - 1, model, f32);
    CAPTURE(some);
    CHECK(some.starts_with("random: its weights take 3.2 MiB as float32, the limit of "));
    CHECK(some.find("dragoman convert --type q8 (") != std::string::npos);
    CHECK(some.find("dragoman convert --type q4 (") != std::string::npos);
    const std::string least = refused(q4, model, f32);
    CHECK(least.find("--type q8") == std::string::npos);
    CHECK(least.find("what would fit: dragoman convert --type q4 (") != std::string::npos);
    CHECK(refused(q4 - 1, model, f32).find("not even dragoman convert --type q4 (") != std::string::npos);
    CHECK(refused(2 * whole, model, f32) == "");
    const auto device = engine::Device::open({});
    if (device->context().caps().f16) CHECK(some.find("compute type float16 (") != std::string::npos);
    CHECK(device->context().available_bytes() > 0);
}

}  // namespace weight_room_test
