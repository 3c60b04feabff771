// SPDX-License-Identifier: Apache-2.0
// What a run asks the engine, and what becomes of the answers.
#include <algorithm>
#include <utility>

#include "pipeline/model/model_info.h"
#include "pipeline/model/segment_source.h"
#include "pipeline/protect/unmask.h"
#include "pipeline/run/run.h"
#include "pipeline/stages/stages.h"
#include "text/token_ranges.h"
#include "text/vocabulary.h"

namespace dragoman::pipeline {
namespace {

constexpr std::size_t kKeptBytes = 1u << 24;  // of answers for sentences that come again

std::size_t bytes_of(const decode::SearchOutput& output) {
    std::size_t bytes = sizeof output;
    for (const decode::Hypothesis& hypothesis : output.hypotheses)
        bytes += sizeof hypothesis + hypothesis.tokens.size() * 4 + hypothesis.attention.size() * 4 +
                 hypothesis.certainty.size() * sizeof(decode::Certainty);
    return bytes;
}

// The key of equal sentences: source, start, context, prefix and terms.
std::vector<uint32_t> key_of(const Sentence& sentence) {
    const decode::SearchInput& input = sentence.input;
    std::vector<uint32_t> key = input.source;
    key.insert(key.end(), {UINT32_MAX, input.start_id});
    key.insert(key.end(), input.context.begin(), input.context.end());
    key.push_back(sentence.attends ? UINT32_MAX - 1 : UINT32_MAX);
    key.insert(key.end(), input.prefix.begin(), input.prefix.end());
    for (const decode::Term& term : input.terms) {
        key.insert(key.end(), {UINT32_MAX, term.source_begin, term.source_end, term.whole});
        for (const auto& form : term.forms) {
            key.push_back(UINT32_MAX);
            key.insert(key.end(), form.begin(), form.end());
        }
    }
    return key;
}

}  // namespace

void Run::ask(Document& document, Sentence& sentence) {
    const Query::Place place{&document, &sentence};
    const std::size_t tokens = sentence.source_length * samples_;
    auto query = std::make_shared<Query>();
    if (plan_.inputs == Plan::Inputs::texts) {  // an input of tokens never shares a query
        const auto [known, fresh] = known_.try_emplace(key_of(sentence), query);
        if (!fresh) {
            query = known->second;
            sentence.input = {};
            if (query->output) return finish(place, *query);
            query->places.push_back(place);
            query->tokens_at_work += tokens;
            tokens_at_work_ += tokens;
            return;
        }
        query->key = &known->first;
        if (remembered_ && lookup(place, known->first, *query)) return;
    }
    query->places.push_back(place);
    query->tokens = sentence.source_length;
    query->tokens_at_work = tokens;
    tokens_at_work_ += tokens;
    ++requests_;
    searches_.ask(std::move(query), std::exchange(sentence.input, {}), sentence.attends);
}

// True: the memory has the answer.
bool Run::lookup(const Query::Place& place, const Key& key, Query& query) {
    Sentence& sentence = *place.sentence;
    query.question = Remembered::question(sentence.input, sentence.attends);
    auto output = remembered_->find(query.question, sentence.input, sentence.attends);
    if (!output) return false;
    sentence.input = {};
    query.question = {};
    query.bytes = bytes_of(*output) + key.size() * 4;
    query.output = std::make_shared<const decode::SearchOutput>(std::move(*output));
    ++requests_;
    ++requests_done_;
    finish(place, query);
    keep(&key, query.bytes);
    return true;
}

void Run::answer(Searches::Waiting query, decode::SearchOutput output) {
    const Key* const key = query->key;
    query->bytes = bytes_of(output) + (key ? key->size() * 4 : 0);
    if (!query->question.empty()) remembered_->keep(query->question, output);
    query->question = {};
    query->output = std::make_shared<const decode::SearchOutput>(std::move(output));
    tokens_at_work_ -= query->tokens_at_work;
    ++requests_done_;
    ++counts_.sentences;
    counts_.source_tokens += query->tokens;
    const std::vector<Query::Place> places = std::move(query->places);
    std::size_t length = 0;  // before it is retried, or copied
    for (const Query::Place& place : places) {
        finish(place, *query);
        length = place.sentence->length;
    }
    counts_.target_tokens += length;
    if (key) keep(key, query->bytes);
}

// Answers serve equal sentences until there are too many.
void Run::keep(const Key* key, std::size_t bytes) {
    kept_.push_back(key);
    kept_bytes_ += bytes;
    while (kept_bytes_ > kKeptBytes) {
        const auto oldest = known_.find(*kept_.front());
        kept_bytes_ -= oldest->second->bytes;
        kept_.pop_front();
        known_.erase(oldest);
    }
}

void Run::finish(const Query::Place& place, const Query& query) {
    place.sentence->output = query.output;
    up(stages_, *place.document, *place.sentence);
    retries_.take(*place.document, *place.sentence);
}

void Run::pass_on(Document& document, Sentence& sentence) {
    if (relay_) relay_->pass(document, sentence);
    else complete(document, sentence);
}

void Run::complete(Document& document, Sentence& sentence) {
    copy_if_unsure(plan_, document, sentence);
    --document.unfinished;
    sentence.settled = true;
    count_finished(document, sentence);
}

void Run::count_finished(const Document& document, const Sentence& sentence) {
    ++counts_.finished;
    if (sink_.sentence) sink_.sentence(document, sentence);
}

// Records a translation in a memory that will be written.
void Run::record(const Document& document, const Sentence& sentence) const {
    if (sentence.copied || sentence.hypotheses.empty() || sentence.hypotheses.front().text.empty()) return;
    const spec::LanguageTag source = segment_source(plan_, sentence.target_language);
    plan_.text.memory->record({sentence.language.empty() ? source.str() : sentence.language,
                               std::string(text::part(document.text, sentence.body))},
                              {sentence.target_language.str(), sentence.hypotheses.front().text});
}

void Run::tell_partial(const Query& query, std::span<const uint32_t> ids) {
    for (const Query::Place& place : query.places) {
        const Sentence& sentence = *place.sentence;
        if (sentence.attempt.whole) continue;
        Hypothesis own{.tokens = model_->target().tokens(ids.subspan(std::min(sentence.fed, ids.size())))};
        if (model_->right_to_left()) std::ranges::reverse(own.tokens);
        if (model_->info().has_tokenizer) {
            text::DetokenizedText words = model_->continues() ? model_->detokenize_behind(sentence.tokens, own.tokens)
                                                              : model_->detokenize(own.tokens);
            own.text = std::move(words.text);
            own.ranges = std::move(words.ranges);
            if (sentence.model_input) unmask(*sentence.model_input, own, plan_.text.target_language);
        }
        sink_.partial(*place.document, sentence, own);
    }
}

}  // namespace dragoman::pipeline
