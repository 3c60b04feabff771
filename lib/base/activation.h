// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace dragoman {

enum class Activation : uint32_t {  // numbered as in CTranslate2's `activation`, plus none
    relu = 0,
    gelu_tanh = 1,     // 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
    swish = 2,         // x sigmoid(x)
    gelu = 3,          // 0.5 x (1 + erf(x / sqrt 2))
    gelu_sigmoid = 4,  // x sigmoid(1.702 x)
    tanh = 5,
    sigmoid = 6,
    none = 7,
};

}  // namespace dragoman
