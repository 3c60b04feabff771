// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "ops/tensor.h"
#include "vulkan/context.h"

namespace dragoman::check {

using ops::BufferView;
using ops::Tensor;
using ops::Weight;

// What is expected of an element: its value, and the sum of the magnitudes of its terms.
struct Expected {
    double value = 0, magnitude = 0;
};

// Differences found in all tensors of a case.
struct Difference {
    uint64_t wrong = 0;  // elements
    // The difference of the element furthest off, divided by what is allowed there: above 1 the element is wrong.
    // Infinite for an element that is not a number.
    double share = 0;
    uint32_t row = 0, column = 0;
    double got = 0, expected = 0;
};

// A weight matrix with its values as the type stores them.
struct WeightMatrix {
    Weight weight;
    std::vector<double> values;  // [n, k]
    double operator()(uint32_t output, uint32_t input) const { return values[size_t(output) * weight.k + input]; }
};

struct Matrix {
    Tensor tensor;
    std::vector<double> values;  // [rows, cols], as the type stores them
    double operator()(uint32_t row, uint32_t col) const { return values[size_t(row) * tensor.cols + col]; }
};

// One run of a kernel: random inputs in buffers, a dispatch, and the comparison of its outputs.
class Case {
public:
    explicit Case(vulkan::Context& context);

    static constexpr float kUnwritten = -77.0f;  // left by blank(); exact in every type

    vulkan::Context& context;
    ops::Recorder rec;  // takes every kernel as usable

    uint32_t below(uint32_t end) { return uint32_t(engine_() % end); }
    float uniform() { return float(engine_() >> 8) * 0x1p-23f - 1.0f; }  // -1 ... 1
    std::vector<uint32_t> words_below(size_t count, uint32_t end);

    BufferView words(const std::vector<uint32_t>& words);
    BufferView numbers(const std::vector<float>& numbers);
    BufferView count(uint32_t rows) { return words({rows}); }
    // A random matrix; with a stride of 0 its rows are packed.
    Matrix matrix(uint32_t rows, uint32_t cols, DType dtype, uint32_t stride = 0);
    Matrix row(uint32_t cols) { return matrix(1, cols, DType::f32); }
    // A tensor to be written, filled with a number that no kernel gives.
    Tensor blank(uint32_t rows, uint32_t cols, DType dtype, uint32_t stride = 0);
    WeightMatrix weight(uint32_t n, uint32_t k, DType dtype);

    void run();
    // Compares each element of the first `rows` rows; call it after run().
    void compare(const Tensor& y, uint32_t rows, const std::function<Expected(uint32_t, uint32_t)>& expected);
    void compare_words(const BufferView& words, const std::vector<uint32_t>& expected);
    const Difference& difference() const { return difference_; }
    void add(const Difference& other);  // of another run of the same kernel

private:
    Tensor upload(const std::vector<double>& values, uint32_t rows, uint32_t cols, DType dtype, uint32_t stride);
    void found(uint32_t row, uint32_t column, double got, double expected, double allowed);

    std::mt19937 engine_{20};
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers_;
    Difference difference_;
};

// A stride for `cols` that is a multiple of four if `quads`, and certainly is not one otherwise.
inline uint32_t stride_of(uint32_t cols, bool quads) {
    const uint32_t even = (cols + 3) / 4 * 4;
    return quads ? even : even + 1;
}

}  // namespace dragoman::check
