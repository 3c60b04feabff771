// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace dragoman::engine {

// automatic: f16 on GPUs that have it, otherwise int8 where the model is made for it, otherwise f32. int8_f16: matrix
// products as int8, everything else as f16
enum class ComputeType : int { automatic = 0, f32 = 1, f16 = 2, int8 = 3, int8_f16 = 4 };

}  // namespace dragoman::engine
