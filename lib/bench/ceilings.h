// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/dtype.h"
#include "vulkan/context.h"

namespace dragoman::bench {

// The most that a device can do, measured: no pass can move bytes faster than a copy does, multiply faster than one
// large matrix product does, or dispatch faster than empty dispatches with barriers between them replay. Seconds of
// several rounds each; the fastest round is the ceiling.
struct Ceilings {
    double copy_bytes = 0;                    // read and written by one copy
    std::vector<double> copy_seconds;
    uint32_t matmul_rows = 0, matmul_n = 0, matmul_k = 0;
    DType matmul_type = DType::f32;
    std::vector<double> matmul_seconds;
    std::vector<double> dispatch_seconds;     // of one empty dispatch and the barrier before it, replayed
    std::vector<double> submit_wait_seconds;  // of one submission of one such dispatch, until the host has seen its end
};

// Adds rounds: other work comes and goes, so they are spread over a measurement.
void measure_ceilings(vulkan::Context& context, DType type, Ceilings& ceilings);

}  // namespace dragoman::bench
