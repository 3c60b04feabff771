// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "text/characters.h"

namespace dragoman::text {

// The end of a call whose arguments have blanks between them, "foo(x, 5)", "max(a, b)"; `at`: there is none. Two arguments
// and more, which are no words: "Smith (2019, 2020)" and "see (a, b)" are none.
std::size_t call_end(std::string_view text, std::size_t at);

// Whether a text is an address of IPv6, with what may follow it: "fe80::1%eth0", "::1", "2001:db8::/32".
bool is_ip6_address(std::string_view text);

// Whether a text says which versions of a package will do: "numpy~=1.26", "foo>=1.2,<2.0", ">=3.9,<3.13".
bool is_requirement(std::string_view text);

// The end of two marks ("**", "__") at the beginning or the end of words in bold, of which the other two are in the text,
// too; `at`: there are none.
std::size_t bold_mark_end(std::string_view text, std::size_t at);

}  // namespace dragoman::text
