// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/marian_options.h"
#include "model/spec.h"

namespace dragoman::model {

// Fills spec.weights with what options.config needs, under canonical names. Matrices stay in the file, read as
// transposed where they are; parts that are one canonical tensor are joined in memory that spec.owners holds. Throws
// bad_model for parameters that are missing or of another shape.
void take_marian_weights(const MarianFile& file, const MarianOptions& options, ModelSpec& spec);

}  // namespace dragoman::model
