// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "check/case.h"
#include "vulkan/check_results.h"

namespace dragoman::check {

// Runs a kernel with these types and constants on inputs of odd shapes, and compares. Every shader has one.
using Run = void (*)(Case&, const vulkan::KernelUse&);

struct Row {
    const vulkan::Shader* shader;
    Run run;
};

// One function per family of kernels, each in a file of its own.
std::span<const Row> product_rows();
std::span<const Row> int8_rows();
std::span<const Row> attention_rows();
std::span<const Row> vector_rows();  // norms, softmax, element-wise operations
std::span<const Row> search_rows();  // top-k, sampling, output lists
std::span<const Row> recurrence_rows();
std::span<const Row> cell_rows();
std::span<const Row> step_rows();  // steps of the search

// Whether a matrix product has int8 weights; these have a check of their own.
inline bool is_int8(const vulkan::KernelUse& use) {
    return use.key.types[1] == DType::i8 || use.key.types[1] == DType::i32;
}
void tiled_int8(Case& c, const vulkan::KernelUse& use);

// The constants as a tile of the kernel.
template <class Tile>
Tile tile_of(const vulkan::KernelUse& use) {
    std::array<uint32_t, sizeof(Tile) / sizeof(uint32_t)> words{};
    for (std::size_t i = 0; i < std::min(words.size(), use.constants.size()); ++i) words[i] = use.constants[i];
    return std::bit_cast<Tile>(words);
}

// Records the operations of recurrent networks into a recorder that only listens; all tensors are in one buffer.
void record_recurrent(vulkan::Recorder& rec, const vulkan::Buffer& buffer, DType type);

// The expected records (shared/topk.h) of a matrix's rows, one word per line: line RECORD_WORDS * row + word.
std::vector<uint32_t> records_of(const Matrix& x);
Expected expected_record(const Matrix& x, uint32_t line, uint32_t tile);

}  // namespace dragoman::check
