// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <string>

#include "documents/readers.h"

namespace dragoman::documents {

// Markdown with its units; characters that would be read as marks get a backslash. `gaps`: where lines are broken.
// `html`: units of blocks of HTML.
std::unique_ptr<SplicedPart> markdown_part(std::string source, Units units, std::set<std::size_t> gaps,
                                           std::set<std::size_t> html);

}  // namespace dragoman::documents
