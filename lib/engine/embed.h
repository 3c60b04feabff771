// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/replicas.h"

namespace dragoman::engine {

// What Embedder::run() does, on the first device. Where that is lost, what has no vectors yet gets them when it is open
// again.
void embed(const Replicas& replicas, std::span<const std::vector<uint32_t>> inputs, const Embedder::Wanted& wanted,
           const Embedder::Sink& sink);

}  // namespace dragoman::engine
