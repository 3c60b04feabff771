// SPDX-License-Identifier: Apache-2.0
#include "ops/embed.h"

#include <algorithm>

#include "base/error.h"
#include "ops/kernels.h"
#include "ops/work.h"

namespace dragoman::ops {
namespace {

// Invocations per row. Where a device has many, each gets few elements, since one invocation's loads may wait for each
// other.
uint32_t invocations(const vulkan::Caps& caps) {
    return caps.is_cpu() ? 64 : std::min(256u, caps.max_workgroup_invocations);
}

}  // namespace

void embed(Recorder& rec, const EmbedArgs& args) {
    DRAGOMAN_ASSERT(args.y.rows >= args.rows.capacity && args.y.cols == args.table.k);
    DRAGOMAN_ASSERT(!args.position_table || args.max_positions > 0);
    DRAGOMAN_ASSERT(args.positions || !(args.position_table || args.zero_at_start));
    const uint32_t vocabulary = args.vocabulary ? args.vocabulary : args.table.n;
    DRAGOMAN_ASSERT(args.begin + args.table.n <= vocabulary);
    count_work(rec, args);

    DRAGOMAN_ASSERT(!args.units || args.table.dtype == DType::i8);
    const BufferView& unused = args.rows.count;
    const DType table = args.table.dtype == DType::i8 ? DType::i32 : args.table.dtype;  // words of four
    rec.dispatch(kernels::embed, {args.y.dtype, table},
                 {args.rows.count, args.ids, args.rows_map ? args.rows_map : unused,
                  args.positions ? args.positions : unused, args.table.data,
                  args.position_table ? args.position_table : unused, args.y.data, args.units ? args.units : unused},
                 shared::EmbedPush{.vocabulary = vocabulary,
                                   .begin = args.begin,
                                   .end = args.begin + args.table.n,
                                   .cols = args.y.cols,
                                   .y_stride = args.y.stride,
                                   .max_positions = args.max_positions,
                                   .flags = (args.rows_map ? shared::kEmbedRowsMap : 0) |
                                            (args.position_table ? shared::kEmbedPositionTable : 0) |
                                            (args.zero_at_start ? shared::kEmbedZeroAtStart : 0) |
                                            (args.units ? shared::kEmbedUnits : 0),
                                   .scale = args.scale},
                 kernels::EmbedTile{.invocations = invocations(rec.caps())}, groups(args.rows, 1));
}

}  // namespace dragoman::ops
