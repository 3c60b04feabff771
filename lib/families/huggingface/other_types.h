// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace dragoman::families {

// What models of a type of transformers are that no family reads, and what to get instead; "" where nothing is known.
std::string_view describe_other_type(std::string_view model_type);

}  // namespace dragoman::families
