// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "formats/marian_file.h"

namespace dragoman::families {

// Models of type nematus and amun keep the names of the programs that these types come from. Gives their parameters
// those that type s2s has; files that have these already stay as they are.
formats::MarianFile with_s2s_names(formats::MarianFile file);

}  // namespace dragoman::families
