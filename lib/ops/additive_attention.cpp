// SPDX-License-Identifier: Apache-2.0
#include "ops/additive_attention.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "ops/cpu_kernels.h"
#include "ops/kernels.h"
#include "ops/work.h"

namespace dragoman::ops {
namespace {

kernels::AdditiveAttentionTile additive_tile(const vulkan::Caps& caps) {
    const WorkgroupSizes& sizes = workgroup_sizes(caps);
    return {.lanes = std::min(sizes.additive_lanes, std::bit_floor(caps.max_workgroup_invocations)),
            .team = sizes.additive_team};
}

}  // namespace

void additive_attention(Recorder& rec, const AdditiveAttentionArgs& args) {
    const auto& [q, keys, values, y] = std::tie(args.q, args.keys, args.values, args.y);
    DRAGOMAN_ASSERT(q.cols == y.cols && keys.cols == y.cols && values.cols == y.cols && args.beam > 0);
    DRAGOMAN_ASSERT(q.dtype == y.dtype && keys.dtype == y.dtype && values.dtype == y.dtype);
    DRAGOMAN_ASSERT(q.rows >= args.rows.capacity && y.rows >= args.rows.capacity);
    DRAGOMAN_ASSERT(!args.weights || args.position);
    count_work(rec, args);
    const BufferView none = args.rows.count;
    rec.dispatch(kernels::additive_attention, y.dtype,
                 {args.rows.count, q.data, keys.data, values.data, args.vector, args.live_rows, args.source_begin,
                  args.source_length, args.weights ? args.position : none, args.weights ? args.weights : y.data,
                  y.data},
                 shared::AdditiveAttentionPush{.cols = y.cols,
                                               .q_stride = q.stride,
                                               .keys_stride = keys.stride,
                                               .values_stride = values.stride,
                                               .y_stride = y.stride,
                                               .beam = args.beam,
                                               .weights_stride = args.weights_stride,
                                               .max_steps = args.max_steps,
                                               .has_weights = bool(args.weights)},
                 additive_tile(rec.caps()), groups(args.rows, 1));
}

}  // namespace dragoman::ops
