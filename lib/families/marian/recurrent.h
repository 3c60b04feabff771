// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/marian/recurrent_options.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// Fills spec.recurrent, spec.config, spec.right_to_left and spec.weights (names of recurrent_tensors.h) from a file of
// type s2s, nematus or amun. Throws bad_model for parameters that are missing or of another shape, and what
// read_marian_recurrent_options() throws.
void read_marian_recurrent(const formats::MarianFile& file, spec::ModelSpec& spec);

}  // namespace dragoman::families
