// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

namespace dragoman {

// Numbers in rows of equal length, one row after the other without gaps.
struct Matrix {
    std::vector<float> values{};
    std::size_t rows = 0, cols = 0;

    Matrix() = default;
    Matrix(std::size_t rows_, std::size_t cols_) : values(rows_ * cols_, 0.0f), rows(rows_), cols(cols_) {}
    Matrix(std::initializer_list<std::initializer_list<float>> from) {
        for (const auto& row : from) add_row({row.begin(), row.size()});
    }

    bool empty() const { return rows == 0; }
    std::span<const float> operator[](std::size_t row) const { return std::span(values).subspan(row * cols, cols); }
    std::span<float> operator[](std::size_t row) { return std::span(values).subspan(row * cols, cols); }

    // A row that is longer than those before it is cut, a shorter one filled with zeros.
    void add_row(std::span<const float> row) {
        if (rows == 0) cols = row.size();
        row = row.first(std::min(row.size(), cols));
        values.insert(values.end(), row.begin(), row.end());
        values.resize(++rows * cols, 0.0f);
    }

    // Without the first ones.
    Matrix from_row(std::size_t first) const {
        Matrix result(rows - first, cols);
        std::copy(values.begin() + std::ptrdiff_t(first * cols), values.end(), result.values.begin());
        return result;
    }

    bool operator==(const Matrix&) const = default;
};

}  // namespace dragoman
