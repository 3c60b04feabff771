// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "documents/office/runs.h"

namespace dragoman::documents {

// Turns fields that begin and end in a paragraph into one point with their result, and hyperlinks into a pair around
// theirs.
void join_fields(RunParagraph& paragraph);

}  // namespace dragoman::documents
