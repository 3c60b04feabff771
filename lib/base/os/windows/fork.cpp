// SPDX-License-Identifier: Apache-2.0
#include "base/os/fork.h"

namespace dragoman::os {

uint32_t forks() noexcept { return 0; }

void keep_places_of_parent_threads() noexcept {}

}  // namespace dragoman::os
