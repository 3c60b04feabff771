// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/activation.h"

// Operations as formulas in double precision: checks of devices and tests compare kernels with them. The engine uses
// none of this.
namespace dragoman::reference {

inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

inline double activated(double x, Activation activation) {
    const double pi = 3.14159265358979323846;
    switch (activation) {
        case Activation::relu: return x > 0 ? x : 0;
        case Activation::gelu_tanh: return 0.5 * x * (1 + std::tanh(std::sqrt(2 / pi) * (x + 0.044715 * x * x * x)));
        case Activation::swish: return x * sigmoid(x);
        case Activation::gelu: return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
        case Activation::gelu_sigmoid: return x * sigmoid(1.702 * x);
        case Activation::tanh: return std::tanh(x);
        case Activation::sigmoid: return sigmoid(x);
        case Activation::none: break;
    }
    return x;
}

// A row less its mean, over its deviation; where it is not centred, over its root mean square.
struct Norm {
    double mean = 0, inverse = 0;
    double operator()(double x) const { return (x - mean) * inverse; }
};

// The sum over value(begin) ... value(end - 1).
template <class Value>
Norm norm(uint32_t begin, uint32_t end, bool centred, double epsilon, Value&& value) {
    double mean = 0, squares = 0;
    const double count = end - begin;
    for (uint32_t i = begin; centred && i < end; ++i) mean += value(i) / count;
    for (uint32_t i = begin; i < end; ++i) squares += (value(i) - mean) * (value(i) - mean) / count;
    return {mean, 1 / std::sqrt(squares + epsilon)};
}

inline std::vector<double> softmax(std::vector<double> scores) {
    const double most = scores.empty() ? 0.0 : *std::ranges::max_element(scores);
    double sum = 0;
    for (double& score : scores) sum += score = std::exp(score - most);
    for (double& score : scores) score /= sum;
    return scores;
}

// States of recurrent layers. x(part) and u(part): a row's inputs for a gate.

inline double ssru(double before, double x, double forget) {
    return sigmoid(forget) * before + (1 - sigmoid(forget)) * x;
}

inline double average(uint32_t step, double before, double x) { return (step * before + x) / (step + 1.0); }

template <class X, class U>
double gru(double before, X&& x, U&& u) {
    const double reset = sigmoid(x(0) + u(0)), update = sigmoid(x(1) + u(1));
    return (1 - update) * std::tanh(x(2) + reset * u(2)) + update * before;
}

struct LstmState {
    double hidden, cell;
};

template <class X, class U>
LstmState lstm(double cell, X&& x, U&& u) {
    const auto gate = [&](uint32_t index) { return sigmoid(x(index) + u(index)); };
    const double next = gate(0) * cell + gate(1) * std::tanh(x(2) + u(2));
    return {gate(3) * std::tanh(next), next};
}

}  // namespace dragoman::reference
