// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/error.h"
#include "spec/model_spec.h"

namespace dragoman::spec {

// Lets a network predict together with those of `spec`. Throws `status` for another vocabulary.
void add_member(ModelSpec& spec, Member member, Status status);
// Does the same for a whole model, which must write and read tokens as `spec` does.
void add_model(ModelSpec& spec, ModelSpec other);
// Sets a weight for each network; none: 1 each. Throws `status`, with `where` in front.
void set_weights(ModelSpec& spec, std::span<const float> weights, const std::string& where, Status status);

}  // namespace dragoman::spec
