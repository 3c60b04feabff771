// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "ops/matmul.h"

namespace dragoman::ops {

// Where a measured tile is kept (vulkan::Tuning): the kernel with its code, types, outputs, inputs and about how many
// rows.
std::string tuning_key(const vulkan::Shader& shader, const MatmulArgs& args);

struct Product {
    Weight w;
    DType x, y;  // as in MatmulArgs
};

// Finds by measurement which tile of the kernels that matmul picks is fastest for these products and numbers of rows, a
// few milliseconds each, and keeps the choices with the context. It measures nothing that is known already or needs
// more memory than there is, and nothing on CPU devices unless `also_cpu`. Returns the number of choices made.
uint32_t tune_matmul(vulkan::Context& context, std::span<const Product> products, std::span<const uint32_t> rows,
                     bool also_cpu = false);

}  // namespace dragoman::ops
