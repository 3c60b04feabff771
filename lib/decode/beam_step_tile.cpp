// SPDX-License-Identifier: Apache-2.0
#include "decode/beam_step_tile.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "ops/cpu_kernels.h"

namespace dragoman::decode {

namespace {

constexpr uint32_t kLanes = 128;         // lanes per row, as in ops::topk: they decide the order of its sum
constexpr uint32_t kMaxTeams = 4;       // rows at a time
// entries of lists in shared memory; powers of two, so that there are few pipelines
constexpr uint32_t kLeastPlaces = 64, kMaxPlaces = 1024;

}  // namespace

kernels::LanesTile lanes_tile(const vulkan::Caps& caps) {
    constexpr uint32_t kInStep = 8;  // as many as lavapipe's usual vectors have
    if (ops::runs_in_step(caps, kInStep)) return {.invocations = kInStep, .in_step = 1};
    return {.invocations = 64, .in_step = 0};
}

namespace {

// The step that reads lists and sums.
kernels::BeamStepTile apart(uint32_t lanes, uint32_t in_step) {
    return {.invocations = lanes, .lanes = lanes, .list = 1, .merges = 0, .sums = 0, .places = 1, .in_step = in_step};
}

}  // namespace

kernels::BeamStepTile beam_step_tile(const vulkan::Caps& caps, uint32_t beam, uint32_t candidates, Merges wished) {
    const auto [lanes, in_step] = lanes_tile(caps);
    // CPU devices run a workgroup on one core, and separate rows on several.
    if (wished == Merges::nothing || caps.is_cpu() || beam * candidates > kMaxPlaces) return apart(lanes, in_step);
    for (uint32_t teams = std::min(std::bit_ceil(beam), kMaxTeams); teams > 0; teams /= 2) {
        const kernels::BeamStepTile tile{.invocations = teams * kLanes,
                                         .lanes = kLanes,
                                         .list = candidates > 1 ? 4u : 1u,
                                         .merges = 1,
                                         .sums = wished == Merges::lists_and_sums,
                                         .places = std::max(std::bit_ceil(beam * candidates), kLeastPlaces),
                                         .in_step = 0};
        const uint32_t shared_bytes = kernels::beam_step.shared_bytes({}, tile);
        if (tile.invocations <= caps.max_workgroup_invocations && shared_bytes <= caps.max_shared_bytes) return tile;
    }
    return apart(lanes, in_step);
}

kernels::BeamStepTermsTile beam_step_terms_tile(const vulkan::Caps& caps, uint32_t beam, uint32_t candidates,
                                                Merges wished) {
    const auto with_pool = [&](kernels::BeamStepTile tile) {
        if (!tile.merges) tile = apart(64, 0);  // its lanes look after rows and terms
        return kernels::BeamStepTermsTile{.invocations = tile.invocations,
                                          .lanes = tile.lanes,
                                          .list = tile.list,
                                          .merges = tile.merges,
                                          .sums = tile.sums,
                                          .places = tile.places,
                                          .in_step = tile.in_step,
                                          .pool = std::bit_ceil(beam * (candidates + MOST_TERM_CHILDREN))};
    };
    for (const Merges merges : {wished, Merges::nothing}) {
        const auto tile = with_pool(beam_step_tile(caps, beam, candidates, merges));
        const uint32_t shared_bytes = kernels::beam_step_terms.shared_bytes({}, tile);
        if (shared_bytes <= caps.max_shared_bytes) return tile;
        if (merges == Merges::nothing)
            fail(Status::unsupported, "terms with a beam of {} need {} bytes of shared memory; the device has {}", beam,
                 shared_bytes, caps.max_shared_bytes);
    }
    DRAGOMAN_ASSERT(false);
}

}  // namespace dragoman::decode
