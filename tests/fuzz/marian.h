// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/marian/marian_tensors.h"
#include "families/marian/recurrent.h"
#include "fuzz/fuzz.h"

namespace dragoman::test {

// Makes a model of a file and reads each of its tensors.
inline void read_all(const formats::MarianFile& file) {
    for (const auto& item : file.parameters) touch(item.second.tensor.bytes);
    spec::ModelSpec spec;
    if (families::is_marian_recurrent(file)) {
        families::read_marian_recurrent(file, spec);
    } else {
        const families::MarianOptions options = families::read_marian_options(file);
        spec.config = options.config;
        families::take_marian_weights(file, options, spec);
    }
    for (const auto& item : spec.weights.tensors()) {
        std::vector<float> values(item.second.elements());
        spec::to_f32(item.second, 0, values);
    }
}

}  // namespace dragoman::test
