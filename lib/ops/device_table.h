// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "vulkan/caps.h"

namespace dragoman::ops {

enum class DeviceClass : uint8_t { cpu, nvidia, amd, intel, mobile, other };
DeviceClass device_class(const vulkan::Caps& caps);

// Of matmul_coopmat.
struct CoopmatBlocking {
    uint32_t rows, columns;  // of a subgroup; rows are rounded to whole matrices
    uint32_t subgroup_rows, subgroup_columns, slices = 1;
    uint32_t tile_k = 32;  // inputs of a slice, rounded to whole matrices
};

// All that is chosen by hand for kinds of devices. Measuring begins with it (ops/tune.h), and it holds where nothing is
// measured. Only the lanes and the cooperative matrices' blockings are not measured against those of other kinds.
struct DeviceTable {
    uint32_t few_rows;         // the most for which matmul_split is taken where outputs are few
    uint32_t lanes_of_many;    // of matmul_split where outputs are many, for each output of a load
    uint32_t most_lanes;       // elsewhere
    uint32_t attention_block;  // the first of ops/attention.cpp's
    std::span<const CoopmatBlocking> coopmat;  // largest first
};
const DeviceTable& device_table(const vulkan::Caps& caps);

}  // namespace dragoman::ops
