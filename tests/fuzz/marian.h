// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/fuzz.h"
#include "model/marian_tensors.h"

namespace dragoman::test {

// Makes a model of a file and reads each of its tensors.
inline void read_all(const model::MarianFile& file) {
    for (const auto& item : file.parameters) touch(item.second.tensor.bytes);
    const model::MarianOptions options = model::read_marian_options(file);
    model::ModelSpec spec;
    spec.config = options.config;
    model::take_marian_weights(file, options, spec);
    for (const auto& item : spec.weights.tensors()) {
        std::vector<float> values(item.second.elements());
        nn::to_f32(item.second, 0, values);
    }
}

}  // namespace dragoman::test
