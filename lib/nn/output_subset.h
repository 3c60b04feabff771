// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "nn/layers.h"
#include "nn/seq2seq.h"

namespace dragoman::nn {

// An output layer for some tokens only.
std::unique_ptr<OutputSubset> make_subset(vulkan::Context& context, const Linear& projection, uint32_t capacity);
void select_subset(Recorder& rec, const Linear& projection, const BufferView& ids, const Extent& count,
                   OutputSubset& subset);
// The layer that computes a step's logits: the subset or, without one, the whole projection.
const Linear& output_projection(const OutputSubset* subset, const Linear& projection);

}  // namespace dragoman::nn
