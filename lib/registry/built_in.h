// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace dragoman::registry {

// The data files of models/registries as one JSON object, file names to contents; written by the build.
extern const std::span<const unsigned char> kBuiltIn;

}  // namespace dragoman::registry
