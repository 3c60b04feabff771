// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pipeline/model/plan.h"

namespace dragoman::pipeline {

// The language of sentences that are translated to `target`, as far as it is known without looking at them: the
// options', or the model's only one; of two, the other one.
spec::LanguageTag segment_source(const Plan& plan, const spec::LanguageTag& target);

}  // namespace dragoman::pipeline
