// SPDX-License-Identifier: Apache-2.0
#include "nn/finite.h"

#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/half.h"

namespace dragoman::nn {
namespace {

const char* kind_of(float value) {
    if (std::isnan(value)) return "NaN";
    return value > 0 ? "infinity" : "-infinity";
}

[[noreturn]] void refuse(const std::string& name, float value, uint64_t element) {
    fail(Status::bad_model, "{}: {} at element {}; weights are finite numbers", name, kind_of(value), element);
}

}  // namespace

void check_finite(const std::string& name, std::span<const float> values, uint64_t first) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i])) refuse(name, values[i], first + i);
}

void check_finite_logit_bias(const std::string& name, std::span<const float> values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]) && values[i] != -HUGE_VALF) refuse(name, values[i], i);
}

void check_finite_blocks(const std::string& name, DType dtype, std::span<const std::byte> blocks, uint64_t first) {
    const std::size_t bytes = block_bytes(dtype), scales = dtype == DType::q4 ? 2 : 1;  // q4: scale and offset
    for (std::size_t block = 0; block < blocks.size() / bytes; ++block)
        for (std::size_t i = 0; i < scales; ++i) {
            uint16_t half;
            std::memcpy(&half, blocks.data() + block * bytes + i * sizeof half, sizeof half);
            if (const float scale = from_half(half); !std::isfinite(scale))
                refuse(name, scale, first + block * kBlockElements);
        }
}

}  // namespace dragoman::nn
