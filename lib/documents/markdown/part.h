// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "documents/readers.h"

namespace dragoman::documents {

// Markdown with its units; what would be read as a mark gets a backslash. `gaps`: where lines are broken.
PartPtr markdown_part(std::string source, Units units, std::set<std::size_t> gaps);

}  // namespace dragoman::documents
