// SPDX-License-Identifier: Apache-2.0
// Room "common": what models of several publishers share: prompts, language tokens, T5's layers. It reads no
// configuration of any one publisher and includes no other room.
#pragma once

#include "spec/model_spec.h"

namespace dragoman::families {

// The prompts of a model whose family states none: its special tokens around the source, and Marian's ">>de<<" if the
// vocabulary has such tokens.
void complete_prompts(spec::ModelSpec& spec);

}  // namespace dragoman::families
