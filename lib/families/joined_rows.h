// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "spec/model_spec.h"

namespace dragoman::families {

// Matrices or vectors of one width as one, their rows one after the other, in memory that spec.owners holds; as float32
// where their types differ. One alone stays where it is.
spec::HostTensor joined_rows(std::vector<spec::HostTensor> parts, spec::ModelSpec& spec);

}  // namespace dragoman::families
