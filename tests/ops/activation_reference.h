// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "ops/matmul.h"

namespace dragoman::test {

inline double activation_reference(double x, Activation activation) {
    const double pi = 3.14159265358979323846;
    switch (activation) {
        case Activation::relu: return x > 0 ? x : 0;
        case Activation::gelu_tanh: return 0.5 * x * (1 + std::tanh(std::sqrt(2 / pi) * (x + 0.044715 * x * x * x)));
        case Activation::swish: return x / (1 + std::exp(-x));
        case Activation::gelu: return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
        case Activation::gelu_sigmoid: return x / (1 + std::exp(-1.702 * x));
        case Activation::tanh: return std::tanh(x);
        case Activation::sigmoid: return 1 / (1 + std::exp(-x));
        case Activation::none: return x;
    }
    return x;
}

}  // namespace dragoman::test
