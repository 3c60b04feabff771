// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace dragoman::text {

// Whether a text says nothing but numbers, of which languages write at least one in another way: "1,000.50", "99.5 %",
// "0,75". Not "2.1", which may be the number of a section, "1.2.3", "31.12.2025", "10:30".
bool is_amount(std::string_view text);

// The same where figures are for programs as often as for readers: a decimal point alone, "0.75" or "99.5%", is none.
bool is_written_amount(std::string_view text);

}  // namespace dragoman::text
