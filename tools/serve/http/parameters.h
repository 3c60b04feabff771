// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace serve::http {

// A parameter of a header's value: boundary of `multipart/form-data; boundary="a b"`. In quotes, '\' stands for the next
// character only where that is '"' or '\': clients write paths of Windows without escaping them.
std::optional<std::string> parameter(std::string_view value, std::string_view name);

}  // namespace serve::http
