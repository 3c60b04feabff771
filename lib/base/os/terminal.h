// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>

namespace dragoman::os {

bool is_terminal(std::FILE* stream);

}  // namespace dragoman::os
