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

// (sum - word_penalty * length) / length^length_penalty + coverage (Wu et al. 2016, section 7, without their 5 and 6),
// over the tokens from `first` on. Attention rows are `source_length` wide.
float final_score(const Finishing& f, const decode::Hypothesis& hypothesis, std::size_t first,
                  std::size_t source_length);

// Sorts by final score and keeps num_hypotheses.
std::vector<decode::Hypothesis> best(const Finishing& f, std::vector<decode::Hypothesis> hypotheses,
                                     std::size_t source_length);

// Tokens, score and attention of a hypothesis whose score is final.
Hypothesis finish(const Finishing& f, decode::Hypothesis hypothesis, const Tokens& source, std::size_t source_length);

// The result of a source without content: the prefix itself, not from the model.
Result empty_result(const Finishing& f, const Request& request);

}  // namespace dragoman::translate
