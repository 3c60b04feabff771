// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/pytorch/description.h"
#include "families/pytorch/state.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// Fills spec.config with what the description says and the tensors' shapes tell, and spec.weights with the tensors
// under canonical names. Rows are joined and tables made in memory that spec.owners holds. Throws bad_model where they
// contradict each other, naming both values.
void take_pytorch_weights(const PyTorchState& state, const PyTorchDescription& description, spec::ModelSpec& spec);

}  // namespace dragoman::families
