// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "spec/model_spec.h"

namespace dragoman::pipeline {

// What the library offers and a model does not, in words for users.
std::vector<std::string> lacks(const spec::ModelSpec& spec);

}  // namespace dragoman::pipeline
