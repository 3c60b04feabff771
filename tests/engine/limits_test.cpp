// SPDX-License-Identifier: Apache-2.0
// How much is searched at a time: on integrated GPUs no more than what a submission may take.
#include "engine/search.h"
#include "nn/seq2seq.h"

#include <doctest/doctest.h>

namespace limits_test {

using namespace dragoman;
using decode::StreamLimits;
using engine::stream_limits;
using vulkan::DeviceKind;

namespace {

nn::Seq2SeqInfo info_of(uint64_t operations_per_token, uint64_t operations_per_row) {
    nn::Seq2SeqInfo info;
    info.operations_per_token = operations_per_token;
    info.operations_per_row = operations_per_row;
    return info;
}

const nn::Seq2SeqInfo kSmall = info_of(2'000'000, 2'000'000);
// NLLB-200 of 600 million parameters: d 1024, ffn 4096, 12 layers, a vocabulary of 256206.
constexpr uint64_t kWidth = 1024, kFfn = 4096, kLayer = 6 * kWidth * kWidth + 2 * kWidth * kFfn;
const nn::Seq2SeqInfo kLarge = info_of(2 * kWidth * kFfn, 2 * (12 * kLayer + kWidth * 256206));
const nn::Seq2SeqInfo kHuge = info_of(1ull << 40, 1ull << 40);

}  // namespace

TEST_CASE("graphics cards and CPUs search as much of every model") {
    for (const nn::Seq2SeqInfo& info : {kSmall, kLarge, kHuge}) {
        CHECK(stream_limits(DeviceKind::discrete, info, 4) ==
              StreamLimits{.slots = 256, .source_tokens = 32768, .express_slots = 16});
        CHECK(stream_limits(DeviceKind::cpu, info, 4) ==
              StreamLimits{.slots = 32, .source_tokens = 4096, .express_slots = 4});
    }
}

TEST_CASE("integrated GPUs search as much of a model as a submission may take") {
    for (const uint32_t beam : {1u, 4u, 64u}) {
        CAPTURE(beam);
        CHECK(stream_limits(DeviceKind::integrated, kSmall, beam) ==
              StreamLimits{.slots = 512 / beam, .source_tokens = 8192, .express_slots = 16});
        CHECK(stream_limits(DeviceKind::integrated, {}, beam) == stream_limits(DeviceKind::integrated, kSmall, beam));
    }
    for (const uint32_t beam : {1u, 2u, 4u, 5u}) {
        CAPTURE(beam);
        const StreamLimits limits = stream_limits(DeviceKind::integrated, kLarge, beam);
        const uint64_t rows = uint64_t(limits.slots + limits.express_slots) * beam;
        CHECK(rows * kLarge.operations_per_row <= nn::kOperationsPerStep);
        CHECK((rows + beam) * kLarge.operations_per_row > nn::kOperationsPerStep);  // no fewer than need be
        CHECK(limits.source_tokens * kLarge.operations_per_token <= nn::kOperationsPerList);
        CHECK(limits.source_tokens >= 2000);
    }
}

TEST_CASE("GPUs of which nobody knows how fast they are search as much as integrated ones") {
    for (const auto kind : {DeviceKind::virtual_gpu, DeviceKind::other})
        for (const nn::Seq2SeqInfo& info : {kSmall, kLarge, kHuge})
            CHECK(stream_limits(kind, info, 4) == stream_limits(DeviceKind::integrated, info, 4));
}

TEST_CASE("of the largest model a sentence is searched, and a few rows") {
    CHECK(stream_limits(DeviceKind::integrated, kHuge, 1) ==
          StreamLimits{.slots = 6, .source_tokens = 256, .express_slots = 2});
    CHECK(stream_limits(DeviceKind::integrated, kHuge, 4) ==
          StreamLimits{.slots = 2, .source_tokens = 256, .express_slots = 0});
    CHECK(stream_limits(DeviceKind::integrated, kHuge, 64) ==
          StreamLimits{.slots = 1, .source_tokens = 256, .express_slots = 0});
}

}  // namespace limits_test
