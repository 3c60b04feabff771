// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/dtype.h"
#include "vulkan/context.h"

namespace dragoman::bench {

// What a device can do at most, measured: no pass can move bytes faster than a copy does, multiply faster than one
// large matrix product does, or dispatch faster than empty dispatches with barriers between them replay. The lists have
// the seconds of several rounds; the fastest round is the ceiling.
struct Ceilings {
    double copy_bytes = 0;  // read and written by one copy
    std::vector<double> copy_seconds;
    uint32_t matmul_rows = 0, matmul_n = 0, matmul_k = 0;
    DType matmul_type = DType::f32;
    std::vector<double> matmul_seconds;
    std::vector<double> dispatch_seconds;  // of one empty dispatch and the barrier before it, replayed
    // for one submission of one such dispatch, until the host has seen its end
    std::vector<double> submit_wait_seconds;
};

// Adds rounds. Callers spread them over a measurement, because other work on the device comes and goes.
void measure_ceilings(vulkan::Context& context, DType type, Ceilings& ceilings);

}  // namespace dragoman::bench
