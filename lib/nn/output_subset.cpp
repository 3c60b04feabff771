// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "nn/scratch.h"
#include "nn/transformer.h"
#include "ops/outputs.h"
#include "ops/weight.h"

namespace dragoman::nn {

std::unique_ptr<OutputSubset> Transformer::make_output_subset(uint32_t capacity) const {
    DRAGOMAN_ASSERT(capacity > 0);
    if (projection_.parts.size() != 1 || projection_.parts.front().panel_scales)
        fail(Status::unsupported,
             "decoder/projection/weight: its rows have several input scales; a shortlist needs one");
    auto subset = std::make_unique<TransformerOutputs>();
    const auto allocate = [&](uint32_t k, DType dtype, const char* name) {
        subset->buffers.push_back(store_.context().buffer(ops::panel_bytes(capacity, k, dtype),
                                                          vulkan::BufferUse::device, name));
        return BufferView(*subset->buffers.back());
    };
    MatrixPart part = projection_.parts.front();
    part.weight.n = capacity;
    part.weight.data = allocate(part.weight.k, part.weight.dtype, "subset/weight");
    if (part.units) part.units = allocate(1, DType::f32, "subset/units");
    if (projection_.bias) subset->projection.bias = allocate(1, DType::f32, "subset/bias");
    subset->projection.parts.push_back(part);
    return subset;
}

void Transformer::select_outputs(Recorder& rec, const BufferView& ids, const Extent& count,
                                 OutputSubset& subset) const {
    const Linear& to = static_cast<TransformerOutputs&>(subset).projection;
    const MatrixPart &all = projection_.parts.front(), &some = to.parts.front();
    const uint32_t n = all.weight.n, capacity = some.weight.n;
    DRAGOMAN_ASSERT(count.capacity <= capacity);
    Recorder::Pass pass(rec, "decoder/shortlist");
    ops::gather_outputs(rec, all.weight, ids, some.weight, count);
    // A vector is a matrix with one input.
    const auto gather = [&](const BufferView& from, const BufferView& target) {
        ops::gather_outputs(rec, {.data = from, .n = n, .k = 1}, ids, {.data = target, .n = capacity, .k = 1}, count);
    };
    if (all.units) gather(all.units, some.units);
    if (projection_.bias) gather(projection_.bias, to.bias);
}

}  // namespace dragoman::nn
