// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/model_spec.h"

namespace dragoman::families {

// The prompts of a model whose family states none: its special tokens around the source, and Marian's ">>de<<" if the
// vocabulary has such tokens.
void complete_prompts(spec::ModelSpec& spec);

}  // namespace dragoman::families
