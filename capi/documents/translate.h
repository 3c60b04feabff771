// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/documents.h>

#include <span>
#include <string_view>
#include <vector>

#include "documents/part.h"

namespace dragoman::capi {

// Translates texts in one job, feeding it while it gives results. Throws what the library reports, and cancelled where
// the options' progress says so.
std::vector<documents::Translation> translate_units(dragoman_translator* translator,
                                                    std::span<const std::string_view> texts, bool align,
                                                    const dragoman_translate_options& options,
                                                    const dragoman_document_options& document);

}  // namespace dragoman::capi
