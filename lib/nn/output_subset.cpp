// SPDX-License-Identifier: Apache-2.0
#include "nn/output_subset.h"

#include <algorithm>

#include "base/error.h"
#include "ops/outputs.h"
#include "ops/weight.h"

namespace dragoman::nn {

namespace {

struct GatheredOutputs final : OutputSubset {
    Linear projection;
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers;
};

}  // namespace

std::unique_ptr<OutputSubset> make_subset(vulkan::Context& context, const Linear& projection, uint32_t capacity) {
    DRAGOMAN_ASSERT(capacity > 0);
    const auto& parts = projection.parts;
    if (parts.front().panel_scales || !std::ranges::all_of(parts, [&](const MatrixPart& part) {
            return part.input_scale == parts.front().input_scale;
        }))
        fail(Status::unsupported,
             "decoder/projection/weight: its rows have several input scales; a shortlist needs one");
    auto subset = std::make_unique<GatheredOutputs>();
    const auto allocate = [&](uint32_t k, DType dtype, const char* name) {
        subset->buffers.push_back(context.buffer(ops::panel_bytes(capacity, k, dtype), vulkan::BufferUse::device,
                                                 name));
        return BufferView(*subset->buffers.back());
    };
    MatrixPart part = parts.front();
    part.weight.n = capacity;
    part.weight.data = allocate(part.weight.k, part.weight.dtype, "subset/weight");
    if (part.units) part.units = allocate(1, DType::f32, "subset/units");
    if (projection.bias) subset->projection.bias = allocate(1, DType::f32, "subset/bias");
    subset->projection.parts.push_back(part);
    return subset;
}

void select_subset(Recorder& rec, const Linear& projection, const BufferView& ids, const Extent& count,
                   OutputSubset& subset) {
    const Linear& to = static_cast<GatheredOutputs&>(subset).projection;
    const MatrixPart& some = to.parts.front();
    const uint32_t n = projection.outputs(), capacity = some.weight.n;
    DRAGOMAN_ASSERT(count.capacity <= capacity);
    Recorder::Pass pass(rec, "decoder/shortlist");
    // A vector is a matrix with one input.
    const auto gather = [&](const BufferView& from, uint32_t begin, uint32_t outputs, const BufferView& target) {
        ops::gather_outputs(rec, {.data = from, .n = outputs, .k = 1}, begin, n, ids,
                            {.data = target, .n = capacity, .k = 1}, count);
    };
    for (const MatrixPart& part : projection.parts) {
        ops::gather_outputs(rec, part.weight, part.begin, n, ids, some.weight, count);
        if (part.units) gather(part.units, part.begin, part.weight.n, some.units);
    }
    if (projection.bias) gather(projection.bias, 0, n, to.bias);
}

const Linear& output_projection(const OutputSubset* subset, const Linear& projection) {
    return subset ? static_cast<const GatheredOutputs&>(*subset).projection : projection;
}

}  // namespace dragoman::nn
