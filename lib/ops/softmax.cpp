// SPDX-License-Identifier: Apache-2.0
#include "ops/softmax.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "ops/cpu_kernels.h"
#include "ops/kernels.h"
#include "ops/work.h"

namespace dragoman::ops {

void softmax(Recorder& rec, const Tensor& x, const Tensor& y, float scale, bool logarithm, const Extent& rows) {
    DRAGOMAN_ASSERT(x.rows >= rows.capacity && y.rows >= rows.capacity && x.cols == y.cols && x.dtype == y.dtype);
    count_work(rec, x, y, rows);
    // The lanes decide the order of the sums, so they may depend on the device and the width only.
    const WorkgroupSizes& sizes = workgroup_sizes(rec.caps());
    const uint32_t lanes = std::clamp(std::bit_ceil(x.cols / 4), sizes.softmax_least, sizes.softmax_most);
    rec.dispatch(kernels::softmax, x.dtype, {rows.count, x.data, y.data},
                 shared::SoftmaxPush{.cols = x.cols,
                                     .x_stride = x.stride,
                                     .y_stride = y.stride,
                                     .logarithm = logarithm,
                                     .scale = scale},
                 kernels::SoftmaxTile{.lanes = lanes}, groups(rows, 1));
}

}  // namespace dragoman::ops
