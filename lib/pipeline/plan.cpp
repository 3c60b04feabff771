// SPDX-License-Identifier: Apache-2.0
#include "pipeline/plan.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"

namespace dragoman::pipeline {

Plan::Plan(const Model& of_model, Inputs given, TextOptions text_options, TranslateOptions options)
    : model(of_model), inputs(given), text(std::move(text_options)), decoding(std::move(options)) {
    if (inputs == Inputs::texts && !model.info().has_tokenizer)
        fail(Status::unsupported, "{}: the model has no tokenizer; it takes and gives tokens, not text",
             model.info().path);
    check_attention(decoding, model.info());
    search = resolve(decoding, model.search());
    rules = search_rules(decoding, search, model.target(), model.eos_token());
    std::ranges::copy(model.never_generated(), std::back_inserter(rules.suppressed));
    shortlist = decoding.use_shortlist ? model.shortlist() : nullptr;
    if (decoding.use_shortlist && !shortlist)
        fail(Status::invalid_argument, "use_shortlist: {} has no shortlist", model.info().path);
    if (shortlist && model.network()->info().log_probabilities)
        fail(Status::unsupported, "use_shortlist: {}: expected 1 network, the model is an ensemble of {}",
             model.info().path, model.info().networks);
    if (inputs == Inputs::texts) prompt = model.prompt(text.source_language, text.target_language);
}

engine::SearchOptions Plan::search_options(int priority, bool partial) const {
    return {.rules = rules,
            .max_batch_size = decoding.max_batch_size,
            .max_batch_tokens = decoding.max_batch_tokens,
            .length_penalty = search.length_penalty,
            .word_penalty = search.word_penalty,
            .coverage_penalty = decoding.coverage_penalty,
            .num_hypotheses = decoding.num_hypotheses,
            .alternatives = decoding.return_alternatives,
            .min_alternative_expansion_prob = decoding.min_alternative_expansion_prob,
            .priority = priority,
            .partial = partial};
}

}  // namespace dragoman::pipeline
