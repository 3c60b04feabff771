// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace dragoman::test {

// Changes of a module after which its results are wrong:
//   product  multiplications add
//   nan      sums and products are not numbers
//   shuffle  every invocation gets its own value from a shuffle
//   half     shuffles stay in half of a subgroup, reductions end at the invocation itself
bool is_fault(std::string_view how);

// The code of a module after this change. `subgroup_size`: what the driver names.
std::vector<uint32_t> broken_code(std::span<const uint32_t> code, std::string_view how, uint32_t subgroup_size);

}  // namespace dragoman::test
