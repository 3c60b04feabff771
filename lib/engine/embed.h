// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/replicas.h"

namespace dragoman::engine {

// What Embedder::run() does, on all devices; `sink` is called on the caller's thread. Each device takes the next of the
// longest inputs when it is free. Where one is lost, what has no vectors yet goes to the others, and to itself when it is
// open again; this fails once all are lost. What fits one batch goes to one device, to each in turn.
void embed(const Replicas& replicas, std::span<const std::vector<uint32_t>> inputs, const Embedder::Wanted& wanted,
           const Embedder::Sink& sink);

}  // namespace dragoman::engine
