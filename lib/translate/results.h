// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "decode/search.h"
#include "translate/loaded_model.h"

namespace dragoman::translate {

// What results need of a request besides the search's output.
struct Finishing {
    const LoadedModel& model;
    const TranslateOptions& options;
    const spec::SearchDefaults& search;
    std::span<const uint32_t> end_ids;
};

// Tokens, score and attention of a hypothesis whose score is final.
Hypothesis finish(const Finishing& f, decode::Hypothesis hypothesis, const Tokens& source, std::size_t source_length);

// The result of a source without content: the prefix itself, not from the model.
Result empty_result(const Finishing& f, const Request& request);

}  // namespace dragoman::translate
