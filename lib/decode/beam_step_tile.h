// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "decode/kernels.h"
#include "vulkan/caps.h"

namespace dragoman::decode {

// What a search step computes itself from the logits' records. The rest is computed by ops::topk before, and read.
enum class Merges : uint8_t { nothing, lists, lists_and_sums };

// Lanes for what is done once a step: compact and process_logits.
kernels::LanesTile lanes_tile(const vulkan::Caps& caps);
// The search step for sentences of `beam` rows with `candidates` per row. It merges as wished only where the device
// can; the tile tells.
kernels::BeamStepTile beam_step_tile(const vulkan::Caps& caps, uint32_t beam, uint32_t candidates, Merges wished);
// The search step for sentences with terms. Throws unsupported where the device has too little shared memory for the
// beam.
kernels::BeamStepTermsTile beam_step_terms_tile(const vulkan::Caps& caps, uint32_t beam, uint32_t candidates,
                                                Merges wished);

}  // namespace dragoman::decode
