// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/matmul.h"

namespace dragoman::ops {

// Which rows share a dynamic input scale: row r belongs to group map[r] / divisor; without a map every row has its own.
struct RowGroups {
    BufferView map;
    uint32_t divisor = 1;
};

// maxima[group] = max |x| over all rows of the group, f32; 0 for groups without rows, NaN where an x is not finite.
void row_maxima(Recorder& rec, const Tensor& x, const RowGroups& row_groups, const BufferView& maxima,
                const Extent& rows);

struct MatmulInt8Args {
    Tensor x;  // [rows, k], f32 or f16
    float input_scale = 0;  // x becomes round-half-even(x * input_scale) in -127 ... 127
    // Instead of input_scale: 127 / maxima[group], from row_maxima.
    BufferView maxima{};
    RowGroups row_groups{};
    BufferView panel_scales{};  // or one scale for each kPanel outputs, f32
    Weight w;  // [n, k], i8; k up to 2^17
    BufferView units;  // [n] f32: the value of 1 in an output's integer sum, without the dynamic scale
    uint32_t column = 0;  // column of the first output in bias, gate, residual and y
    BufferView bias{};  // as in MatmulArgs, of y's width
    Activation activation = Activation::none;
    Tensor gate{};
    Tensor residual{};
    Tensor y;  // columns column ... column + n are written
    float scale = 1.0f;  // multiplies the product, before the bias
    Extent rows;
};

// y = activation(scale * units * (round(x) W^T) + bias) * gate + residual. The integer sums are exact, so every kernel
// and every device gives the same bits up to the bias.
void matmul_int8(Recorder& rec, const MatmulInt8Args& args);

// The instructions to choose from, for tests and measurements. `packed` multiplies four at a time, in the tiled kernel.
enum class Int8Products : uint8_t { plain, packed };
void matmul_int8(Recorder& rec, const MatmulInt8Args& args, MatmulKernel kernel, Int8Products products);
// The ways to run a product are 0 ... int8_ways() - 1, the usual one first. A way is usable if it gives right results
// here without spills.
uint32_t int8_ways(const vulkan::Context& context, const MatmulInt8Args& args);
bool is_usable(Recorder& rec, const MatmulInt8Args& args, uint32_t way);
void matmul_int8_way(Recorder& rec, const MatmulInt8Args& args, uint32_t way);

}  // namespace dragoman::ops
