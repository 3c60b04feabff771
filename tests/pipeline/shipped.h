// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pipeline/model/model.h"
#include "pipeline/model/model_info.h"

namespace dragoman::test {

// The model that comes with the library, in float32 on the default device; loaded once.
inline const std::shared_ptr<const pipeline::Model>& shipped_model() {
    static const auto loaded = pipeline::Model::load(DRAGOMAN_SHIPPED_MODEL,
                                                     {.device = {}, .compute_type = pipeline::ComputeType::f32});
    return loaded;
}

}  // namespace dragoman::test
