// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>

#include "check/case.h"
#include "vulkan/verdicts.h"

namespace dragoman::check {

// Runs a kernel with these types and constants on inputs of odd shapes and compares; there is one for every shader.
using Run = void (*)(Case&, const vulkan::KernelUse&);

struct Row {
    const vulkan::Shader* shader;
    Run run;
};

// By family, each in a file of its own.
std::span<const Row> product_rows();
std::span<const Row> int8_rows();
std::span<const Row> attention_rows();
std::span<const Row> vector_rows();  // norms, softmax, element by element
std::span<const Row> search_rows();  // top-k, sampling, output lists
std::span<const Row> recurrence_rows();
std::span<const Row> cell_rows();
std::span<const Row> step_rows();  // the search's own

// Whether a matrix product is one with int8 weights, which have a check of their own.
inline bool is_int8(const vulkan::KernelUse& use) {
    return use.key.types[1] == DType::i8 || use.key.types[1] == DType::i32;
}
void tiled_int8(Case& c, const vulkan::KernelUse& use);

// The constants as the tile of the kernel.
template <class Tile>
Tile tile_of(const vulkan::KernelUse& use) {
    Tile tile{};
    std::copy(use.constants.begin(), use.constants.end(), reinterpret_cast<uint32_t*>(&tile));
    return tile;
}

// Into a recorder that only listens: the operations of recurrent networks, all tensors in one buffer.
void record_recurrent(vulkan::Recorder& rec, const vulkan::Buffer& buffer, DType type);

// Records (shared/topk.h) of a matrix's rows as they should be, and one of their words: line RECORD_WORDS row + word.
std::vector<uint32_t> records_of(const Matrix& x);
Expected expected_record(const Matrix& x, uint32_t line, uint32_t tile);

}  // namespace dragoman::check
