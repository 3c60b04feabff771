// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/pytorch/description.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// Fills the vocabularies of spec, whose sizes are known, and everything that is told of their tokens. Throws bad_model.
void take_pytorch_vocabularies(const FileSet& files, const PyTorchDescription& description, spec::ModelSpec& spec);

}  // namespace dragoman::families
