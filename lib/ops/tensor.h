// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "vulkan/recorder.h"

namespace dragoman::ops {

using vulkan::BufferView;
using vulkan::Groups;
using vulkan::Recorder;

// A row-major matrix in device memory, borrowed. f32 or f16. `stride`: elements between rows.
struct Tensor {
    BufferView data;
    DType dtype = DType::f32;
    uint32_t rows = 0;  // capacity; the live number comes from an Extent
    uint32_t cols = 0;
    uint32_t stride = 0;
    explicit operator bool() const { return bool(data); }
};

// Whether two tensors begin at the same place.
inline bool same_place(const Tensor& a, const Tensor& b) {
    return a.data.buffer == b.data.buffer && a.data.offset == b.data.offset;
}

// A weight matrix W [n, k] of y = x W^T, in panels of kPanel output columns, k-major inside:
// element (row o, column i) of W lies at (o / kPanel) * kPanel * k + i * kPanel + o % kPanel.
// n is padded to a multiple of kPanel with zeros. Lanes over outputs read neighbouring words, whatever the
// device, and one invocation per output sums in ascending k: the same sum in every kernel that CPU devices take. Eight
// f16 outputs of one input, or four of the other types, are one load of 16 bytes.
// i8 is packed in words of four inputs (k padded with zeros): input i of row o is byte i % 4 of word
// (o / kPanel) * kPanel * k4 + (i / 4) * kPanel + o % kPanel, k4 = ceil(k / 4). Its scales are kept beside it.
// q8 and q4 (k a multiple of 32) have blocks of 32 inputs, one after the other in a panel. A block is rows of kPanel
// words, one for each output: eight of four int8 inputs each (q4: four of eight inputs, 4 bits each), the first input
// lowest, then one with the f32 scale (q4: f16 scale, f16 offset above it).
inline constexpr uint32_t kPanel = 64;

struct Weight {
    BufferView data;
    DType dtype = DType::f32;
    uint32_t n = 0;  // outputs
    uint32_t k = 0;  // inputs
    explicit operator bool() const { return bool(data); }
};
// A matrix may be divided into several weights with some of its outputs each. They begin at multiples of this, so that
// their other tensors begin where a binding may, and are used in ascending order.
inline constexpr uint32_t kPartColumns = 2 * kPanel;

// Some kernels have a workgroup for every row, and every device allows so many.
inline constexpr uint32_t kMaxRows = 65535;

class GroupTable;

// The number of live rows. It is one uint in device memory, which every row-wise shader reads as its binding 0, so that
// recorded commands serve any number up to `capacity`.
struct Extent {
    BufferView count;  // one uint (4 bytes)
    uint32_t capacity = 0;  // upper bound known while recording
    GroupTable* table = nullptr;  // set: workgroups are computed on the device (indirect dispatch)
};

// Workgroups for ceil(rows / rows_per_group) x y x z.
Groups groups(const Extent& rows, uint32_t rows_per_group, uint32_t y = 1, uint32_t z = 1);

// Whether kernels of this device read texel buffers, and `view` can be bound as one.
bool is_texels(const vulkan::Caps& caps, const BufferView& view);

}  // namespace dragoman::ops
