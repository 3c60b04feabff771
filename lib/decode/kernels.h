// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shared/certainty.h"
#include "shared/search.h"
#include "spv.h"
#include "vulkan/kernel.h"

namespace dragoman::kernels {

struct BeamStepTile {
    uint32_t invocations, lanes, list, merges, sums, places, in_step;
};
using BeamStep = vulkan::Kernel<shared::SearchPush, BeamStepTile, 11>;
struct BeamStepTermsTile {
    uint32_t invocations, lanes, list, merges, sums, places, in_step, pool;
};
using BeamStepTerms = vulkan::Kernel<shared::SearchPush, BeamStepTermsTile, 11>;
// 64 lanes, or as many as run in step.
struct LanesTile {
    uint32_t invocations, in_step;
};
//                                   push                tile             buffers
inline constexpr vulkan::Kernel<shared::SearchPush, LanesTile, 2> compact{spv::compact};
inline constexpr vulkan::Kernel<shared::SearchPush, LanesTile, 6> process_logits{spv::process_logits};
inline constexpr vulkan::Kernel<shared::CertaintyPush, vulkan::NoTile, 5> certainty{spv::certainty};
inline constexpr BeamStep beam_step{spv::beam_step};
inline constexpr BeamStep beam_step_marian{spv::beam_step_marian};
inline constexpr BeamStep beam_step_huggingface{spv::beam_step_huggingface};
inline constexpr BeamStepTerms beam_step_terms{spv::beam_step_terms};
inline constexpr BeamStepTerms beam_step_marian_terms{spv::beam_step_marian_terms};
inline constexpr BeamStepTerms beam_step_huggingface_terms{spv::beam_step_huggingface_terms};

}  // namespace dragoman::kernels
