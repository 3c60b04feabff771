// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace dragoman::spec {

// The file that lib/store keeps beside those of a model. Its languages are the model's where the others name none.
inline constexpr std::string_view kStoredMetadata = "dragoman-model.json";

}  // namespace dragoman::spec
