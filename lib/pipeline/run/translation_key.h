// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "pipeline/run/relay.h"

namespace dragoman::pipeline {

// What translations depend on, in lines of a name, a tab and a value: models, device, glossary, segments and options.
// Whoever keeps translations to go on with them later keeps this, too. The options are generated from their table, and
// the last line stands for the rules that answers are remembered by, so nothing can be left out.
std::string translation_key(std::span<const Leg> legs, bool of_texts);

}  // namespace dragoman::pipeline
