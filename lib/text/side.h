// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace dragoman::text {

enum class Side : int { source = 0, target = 1 };

}  // namespace dragoman::text
