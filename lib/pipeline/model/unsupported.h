// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "spec/model_spec.h"

namespace dragoman::pipeline {

// Features of the library that a model does not support, in words for users.
std::vector<std::string> unsupported(const spec::ModelSpec& spec);

}  // namespace dragoman::pipeline
