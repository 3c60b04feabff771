// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "decode/kernels.h"
#include "vulkan/caps.h"

namespace dragoman::decode {

// What a search step makes for itself of the logits' records. Else ops::topk makes it before, and it reads that.
enum class Merges : uint8_t { nothing, lists, lists_and_sums };

// The search step of sentences of `beam` rows, `candidates` to a row. It merges as wished only where the device has
// what that takes; the tile says.
kernels::BeamStepTile beam_step_tile(const vulkan::Caps& caps, uint32_t beam, uint32_t candidates, Merges wished);
// The same of sentences with terms. Throws unsupported where the device has too little shared memory for the beam.
kernels::BeamStepTermsTile beam_step_terms_tile(const vulkan::Caps& caps, uint32_t beam, uint32_t candidates,
                                                Merges wished);

}  // namespace dragoman::decode
