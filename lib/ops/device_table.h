// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "vulkan/caps.h"

namespace dragoman::ops {

enum class DeviceClass : uint8_t { cpu, nvidia, amd, intel, mobile, other };
DeviceClass device_class(const vulkan::Caps& caps);

// A blocking of matmul_coopmat.
struct CoopmatBlocking {
    uint32_t rows, columns;  // per subgroup; rows are rounded to whole matrices
    uint32_t subgroup_rows, subgroup_columns, slices = 1;
    uint32_t tile_k = 32;  // inputs of a slice, rounded to whole matrices
};

// Everything that is chosen by hand for kinds of devices. Measuring begins with it (ops/tune.h), and it holds where
// nothing is measured. Only the lanes and the cooperative matrices' blockings are not compared with those of other
// kinds.
struct DeviceTable {
    uint32_t few_rows;         // the most rows for which matmul_split is taken where outputs are few
    uint32_t lanes_of_many;    // lanes of matmul_split where outputs are many, per output of a load
    uint32_t most_lanes;       // lanes elsewhere
    uint32_t attention_block;  // the device's first block in ops/attention_tiles.cpp
    std::span<const CoopmatBlocking> coopmat;  // largest first
};
const DeviceTable& device_table(const vulkan::Caps& caps);

}  // namespace dragoman::ops
