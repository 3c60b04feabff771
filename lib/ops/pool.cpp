// SPDX-License-Identifier: Apache-2.0
#include "ops/pool.h"

#include "base/error.h"
#include "ops/kernels.h"
#include "ops/work.h"

namespace dragoman::ops {

void pool(Recorder& rec, const PoolArgs& args) {
    DRAGOMAN_ASSERT(args.y.rows >= args.sentences.capacity && args.x.cols == args.y.cols);
    DRAGOMAN_ASSERT(args.y.dtype == DType::f32);
    DRAGOMAN_ASSERT(args.begin.size_bytes >= (args.sentences.capacity + 1ull) * 4);
    count_work(rec, {}, args.y, args.sentences);
    rec.dispatch(kernels::pool, {args.x.dtype, args.y.dtype},
                 {args.sentences.count, args.x.data, args.begin, args.y.data},
                 shared::PoolPush{
                     .cols = args.y.cols, .x_stride = args.x.stride, .y_stride = args.y.stride, .first = args.first},
                 kernels::PoolTile{.invocations = 64}, groups(args.sentences, 1));
}

}  // namespace dragoman::ops
