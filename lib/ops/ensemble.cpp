// SPDX-License-Identifier: Apache-2.0
#include "ops/ensemble.h"

#include <cmath>

#include "base/error.h"
#include "ops/kernels.h"
#include "ops/work.h"

namespace dragoman::ops {

void add_log_probs(Recorder& rec, const AddLogProbsArgs& args) {
    const auto& [x, log_sum, weight, first, probabilities, y, rows] = args;
    DRAGOMAN_ASSERT(x.dtype == DType::f32 && y.dtype == DType::f32 && x.cols == y.cols && !same_place(x, y));
    DRAGOMAN_ASSERT(x.rows >= rows.capacity && y.rows >= rows.capacity && weight > 0.0f);
    count_work(rec, x, y, rows);
    const shared::AddLogProbsPush push{.cols = x.cols,
                                       .x_stride = x.stride,
                                       .y_stride = y.stride,
                                       .first = first,
                                       .probabilities = probabilities,
                                       .weight = probabilities ? std::log(weight) : weight};
    rec.dispatch(kernels::add_log_probs, {}, {rows.count, x.data, log_sum, y.data}, push, {},
                 groups(rows, 1, (x.cols + shared::kAddLogProbsColumns - 1) / shared::kAddLogProbsColumns));
}

}  // namespace dragoman::ops
