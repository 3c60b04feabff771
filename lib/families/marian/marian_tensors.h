// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/marian/options.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// Fills spec.weights with what options.config needs, under canonical names. Matrices stay in the file, read as
// transposed where they are; parts that are one canonical tensor are joined in memory that spec.owners holds. Throws
// bad_model for parameters that are missing or of another shape.
void take_marian_weights(const formats::MarianFile& file, const MarianOptions& options, spec::ModelSpec& spec);

}  // namespace dragoman::families
