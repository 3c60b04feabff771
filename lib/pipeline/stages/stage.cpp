// SPDX-License-Identifier: Apache-2.0
#include "pipeline/stages/stage.h"

#include <algorithm>
#include <iterator>
#include <ranges>

#include "base/error.h"
#include "pipeline/stages/stages.h"

namespace dragoman::pipeline {

Stages text_stages(const Plan& plan) {
    Stages stages;
    if (plan.text.markup != Markup::none) stages.push_back(markup_stage(plan));
    if (plan.finds_language()) stages.push_back(languages_stage(plan));
    stages.push_back(sentences_stage(plan));
    if (plan.model.continues()) {
        stages.push_back(beginning_stage(plan));
        stages.push_back(ids_stage(plan));
        return stages;
    }
    stages.push_back(prompt_stage(plan));
    if (plan.uses_segments) stages.push_back(memory_stage(plan));
    if (plan.text.max_uncovered_words > 0) stages.push_back(uncovered_stage(plan));
    if (plan.aligns()) stages.push_back(alignment_stage(plan));
    if (plan.judges()) stages.push_back(quality_stage(plan));
    stages.push_back(pieces_stage(plan));
    stages.push_back(checks_stage(plan));
    if (plan.text.glossary) stages.push_back(terms_stage(plan));
    stages.push_back(protected_spans_stage(plan));
    stages.push_back(words_stage(plan));
    stages.push_back(copies_stage(plan));
    stages.push_back(ids_stage(plan));
    return stages;
}

Stages token_stages(const Plan& plan) {
    Stages stages;
    stages.push_back(tokens_stage(plan));
    stages.push_back(ids_stage(plan));
    return stages;
}

void open(const Stages& stages, Document& document) {
    for (const auto& stage : stages) stage->open(document);
}

Sentences::iterator down(const Stages& stages, Document& document) {
    DRAGOMAN_ASSERT(!document.down());
    Sentences next(1);
    if (!document.places.begun()) next.front().target_prefix = document.target_prefix;
    const Places::Place place = take_place(document);
    next.front().range = next.front().body = place.range;
    next.front().continues = place.continues;
    document.refused = true;  // until the stages have taken it
    for (const auto& stage : stages) stage->down(document, next);
    document.refused = false;
    for (Sentence& sentence : next) {
        sentence.index = document.sentences_begun++;
        document.unfinished += !sentence.finished;
    }
    const auto first = next.begin();
    document.sentences.splice(document.sentences.end(), next);
    return first;
}

void down(const Stages& stages, Document& document, Sentences& parts) {
    for (const auto& stage : stages) stage->down(document, parts);
}

void up(const Stages& stages, const Document& document, Sentence& sentence) {
    for (const auto& stage : stages | std::views::reverse) stage->up(document, sentence);
    sentence.output.reset();
    sentence.finished = true;
}

void settle(const Stages& stages, Document& document) {
    for (const auto& stage : stages | std::views::reverse) stage->settle(document, document.sentences.front());
    document.sentences.pop_front();
}

void close(const Stages& stages, Document& document) {
    for (const auto& stage : stages | std::views::reverse) stage->close(document);
}

}  // namespace dragoman::pipeline
