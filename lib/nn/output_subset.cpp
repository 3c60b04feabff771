// SPDX-License-Identifier: Apache-2.0
#include <limits>

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
    const auto allocate = [&](uint32_t k, DType dtype, const char* name, uint32_t n) {
        subset->buffers.push_back(store_.context().buffer(ops::panel_bytes(n, k, dtype),
                                                          vulkan::BufferUse::device, name));
        return BufferView(*subset->buffers.back());
    };
    MatrixPart part = projection_.parts.front();
    part.weight.n = capacity;
    part.weight.data = allocate(part.weight.k, part.weight.dtype, "subset/weight", capacity);
    if (part.units) part.units = allocate(1, DType::f32, "subset/units", capacity);
    subset->projection.bias = allocate(1, DType::f32, "subset/bias", capacity);
    if (!projection_.bias) subset->zeros = allocate(1, DType::f32, "subset/zeros", projection_.outputs());
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
    if (all.units)
        ops::gather_outputs(rec, {.data = all.units, .n = n, .k = 1}, ids, {.data = some.units, .n = capacity, .k = 1},
                            count);
    // What lies past the count must not come, with or without a bias.
    const BufferView& zeros = static_cast<TransformerOutputs&>(subset).zeros;
    if (zeros) rec.fill(zeros, 0);
    ops::gather_outputs(rec, {.data = zeros ? zeros : projection_.bias, .n = n, .k = 1}, ids,
                        {.data = to.bias, .n = capacity, .k = 1}, count, std::numeric_limits<float>::lowest());
}

}  // namespace dragoman::nn
