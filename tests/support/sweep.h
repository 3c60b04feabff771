// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

// A CPU's driver takes up to seconds to compile a pipeline, and values of a sweep that are specialisation constants
// take one each. A usual run takes the first values of such a list; with DRAGOMAN_TESTS=full, which scripts/nightly.sh
// sets, a test takes all. What includes this header is an entry of ctest in both ways (tests/CMakeLists.txt).
namespace dragoman::test {

inline bool full_sweep() {
    const char* tests = std::getenv("DRAGOMAN_TESTS");
    return tests && std::string_view(tests) == "full";
}

template <class T, size_t N>
std::span<const T> sweep(const T (&all)[N], size_t usual) {
    return std::span<const T>(all).first(full_sweep() ? N : std::min(usual, N));
}

template <class T>
std::vector<T> sweep(std::initializer_list<T> all, size_t usual) {
    return std::vector<T>(all.begin(), full_sweep() ? all.end() : all.begin() + std::min(usual, all.size()));
}

// Takes every `step`-th item of a long list, beginning with `first`, or all.
template <class T>
std::vector<T> every(const std::vector<T>& all, size_t step, size_t first = 0) {
    if (full_sweep()) return all;
    std::vector<T> some;
    for (size_t i = first; i < all.size(); i += step) some.push_back(all[i]);
    return some;
}

}  // namespace dragoman::test
