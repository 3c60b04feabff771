// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "formats/checkpoint.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// Differences between checkpoints in the layout of BART and its relatives.
struct HuggingFaceTensors {
    bool shared = true;  // one vocabulary and one embedding, unless the checkpoint has several
    bool tied = true;    // the projection is an embedding, unless the checkpoint has its own
    // tables in the checkpoint, with two additional rows at their beginning; otherwise MarianMT's
    bool learned_positions = false;
    bool logits_bias = true;  // final_logits_bias is added to the logits; otherwise it is not the network's
};

// Fills spec.weights with what spec.config needs, under canonical names, from the checkpoint of `files`. Joined
// queries, keys and values and generated position tables are in memory that spec.owners holds.
void take_huggingface_weights(const FileSet& files, HuggingFaceTensors tensors, spec::ModelSpec& spec);

// Sinusoids of MarianMT, [positions, d_model]: with n = ceil(d_model / 2), row p is sin(p / 10000^(2k / d_model)) for
// k < n, then as many cosines as fit.
std::vector<float> huggingface_sinusoids(uint32_t positions, uint32_t d_model);

}  // namespace dragoman::families
