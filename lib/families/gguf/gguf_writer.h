// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "spec/model_spec.h"

namespace dragoman::families {

struct GgufOptions {
    // Type of the matrices: f32, f16, q8 or q4. Nullopt: every tensor stays as it is, with its scales. With q8 and q4,
    // matrices with rows that are not a multiple of 32 are f16. Tensors that are not multiplied (norms, biases, tables)
    // are f32, or stay 16 bits.
    std::optional<DType> type;
    bool replace = false;  // replaces an old file of this name
    // Called now and then with the bytes of tensors written; returns false to stop with Status::cancelled.
    std::function<bool(uint64_t done, uint64_t total)> progress{};
};

// Writes everything that a model needs into one file. Throws io_error, unsupported (a value that the type cannot hold),
// cancelled; there is no file then.
void write_gguf(const spec::ModelSpec& spec, const std::filesystem::path& path, const GgufOptions& options);

}  // namespace dragoman::families
