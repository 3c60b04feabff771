// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "formats/checkpoint.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// How a checkpoint's embedding matrices are tied.
struct HuggingFaceTies {
    bool shared = true;      // one matrix for source and target
    bool projection = true;  // the target's is the projection too
};

// Fills spec.weights with what spec.config needs, under canonical names, from a checkpoint in the layout of BART and
// its relatives. Queries, keys and values are joined and position tables made in memory that spec.owners holds.
void take_huggingface_weights(const formats::Checkpoint& file, HuggingFaceTies ties, spec::ModelSpec& spec);

// Sinusoids of MarianMT, [positions, d_model]: with n = ceil(d_model / 2), row p is sin(p / 10000^(2k / d_model)) for
// k < n, then as many cosines as fit.
std::vector<float> huggingface_sinusoids(uint32_t positions, uint32_t d_model);

}  // namespace dragoman::families
