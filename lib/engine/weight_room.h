// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace dragoman::engine {

// A way to store a model's weights on a device, "compute type float16", and its size.
struct WeightChoice {
    std::string name;
    uint64_t bytes = 0;
};

// A message: why the weights in the wanted form do not fit, and which of the other choices would. `place` is the memory
// with so much room.
std::string no_room_for_weights(const std::string& model, const WeightChoice& wanted, uint64_t available_bytes,
                                const std::string& place, std::span<const WeightChoice> others);

}  // namespace dragoman::engine
