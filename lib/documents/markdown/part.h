// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "documents/readers.h"

namespace dragoman::documents {

// Markdown with its units; characters that would be read as marks get a backslash. `gaps`: where lines are broken.
PartPtr markdown_part(std::string source, Units units, std::set<std::size_t> gaps);

}  // namespace dragoman::documents
