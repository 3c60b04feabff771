// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "documents/office/runs.h"

namespace dragoman::documents {

// Fields that begin and end in a paragraph become one point with their result, hyperlinks a pair around theirs.
void join_fields(RunParagraph& paragraph);

}  // namespace dragoman::documents
