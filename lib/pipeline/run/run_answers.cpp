// SPDX-License-Identifier: Apache-2.0
// What a run asks the engine, and what becomes of the answers.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "pipeline/model/model_info.h"
#include "pipeline/model/segment_source.h"
#include "pipeline/protect/put_back.h"
#include "pipeline/run/parts.h"
#include "pipeline/run/run.h"
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

}  // namespace

void Run::ask(Document& document, Sentence& sentence, std::vector<decode::SearchInput>& inputs) {
    const Place place{&document, &sentence};
    const Key* key = nullptr;
    Request* request = nullptr;
    std::unique_ptr<Request> own;  // for an input of tokens, which never shares a request
    if (plan_.inputs == Plan::Inputs::texts) {
        Key wanted = sentence.input.source;
        wanted.insert(wanted.end(), {UINT32_MAX, sentence.input.start_id});
        wanted.insert(wanted.end(), sentence.input.context.begin(), sentence.input.context.end());
        wanted.push_back(sentence.attends ? UINT32_MAX - 1 : UINT32_MAX);
        wanted.insert(wanted.end(), sentence.input.prefix.begin(), sentence.input.prefix.end());
        for (const decode::Term& term : sentence.input.terms) {
            wanted.insert(wanted.end(), {UINT32_MAX, term.source_begin, term.source_end, term.whole});
            for (const auto& form : term.forms) {
                wanted.push_back(UINT32_MAX);
                wanted.insert(wanted.end(), form.begin(), form.end());
            }
        }
        const auto [known, fresh] = known_.try_emplace(std::move(wanted));
        if (fresh) known->second = std::make_unique<Request>();
        key = &known->first;
        request = known->second.get();
        if (!fresh) {
            sentence.input = {};
            if (request->output) return finish(place, *request);
            request->places.push_back(place);
            return;
        }
        if (remembered_ && recall(place, *key, *request)) return;
    } else {
        own = std::make_unique<Request>();
        request = own.get();
    }
    request->places.push_back(place);
    request->tokens = sentence.source_length;
    tokens_at_work_ += request->tokens * samples_;
    ++requests_;
    if (sentence.attends) return ask_second({key, request, std::move(own)}, std::exchange(sentence.input, {}));
    at_work_[search_.added() + inputs.size()] = {key, request, std::move(own)};
    inputs.push_back(std::move(sentence.input));
    sentence.input = {};
}

// True: the memory has the answer.
bool Run::recall(const Place& place, const Key& key, Request& request) {
    Sentence& sentence = *place.sentence;
    request.question = Remembered::question(sentence.input, sentence.attends);
    auto output = remembered_->find(request.question);
    if (!output) return false;
    sentence.input = {};
    request.question = {};
    request.bytes = bytes_of(*output) + key.size() * 4;
    request.output = std::make_shared<const decode::SearchOutput>(std::move(*output));
    ++requests_;
    ++requests_done_;
    finish(place, request);
    keep(&key, request.bytes);
    return true;
}

void Run::open_second() {
    second_ = std::make_unique<Second>();
    engine::SearchOptions options = plan_.search_options(priority_, bool(sink_.partial));
    options.rules.attention = true;
    std::function<void(std::size_t, std::span<const uint32_t>)> partial;
    if (sink_.partial) partial = [this](std::size_t input, std::span<const uint32_t> ids) {
        tell_partial(second_->at_work.at(input), ids);
    };
    second_->search = std::make_unique<engine::Search>(
        model_->network(), std::move(options), mailbox_,
        engine::Search::Sink{.finished = [this](std::size_t input, decode::SearchOutput output) {
                                 answer(std::move(second_->at_work.extract(input).mapped()), std::move(output));
                             },
                             .partial = std::move(partial)});
}

void Run::ask_second(Asked asked, decode::SearchInput input) {
    if (!second_) open_second();
    second_->at_work[second_->search->added() + second_->inputs.size()] = std::move(asked);
    second_->inputs.push_back(std::move(input));
}

void Run::add_second() {
    if (!second_ || second_->closed || cancelled_) return;
    if (!second_->inputs.empty()) second_->search->add(std::exchange(second_->inputs, {}));
    const bool first_over = closed_ && (search_.added() == 0 || search_.over());
    if (!first_over || !second_->at_work.empty()) return;
    second_->closed = true;
    second_->search->close();
}

void Run::answer(Asked asked, decode::SearchOutput output) {
    const Key* const key = asked.key;
    Request* const request = asked.request;
    request->bytes = bytes_of(output) + (key ? key->size() * 4 : 0);
    if (!request->question.empty()) remembered_->keep(request->question, output);
    request->question = {};
    request->output = std::make_shared<const decode::SearchOutput>(std::move(output));
    tokens_at_work_ -= request->tokens * samples_;
    ++requests_done_;
    ++counts_.sentences;
    counts_.source_tokens += request->tokens;
    const std::vector<Place> places = std::move(request->places);
    std::size_t length = 0;  // before it is tried again, or copied
    for (const Place& place : places) {
        finish(place, *request);
        length = place.sentence->length;
    }
    counts_.target_tokens += length;
    if (key) keep(key, request->bytes);
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

void Run::finish(const Place& place, const Request& request) {
    place.sentence->output = request.output;
    up(stages_, *place.document, *place.sentence);
    if (place.sentence->again != Again::no) try_again(*place.document, *place.sentence);
    else settle(*place.document, *place.sentence);
}

void Run::try_again(Document& document, Sentence& sentence) {
    sentence.parts = parts_of(plan_, document, sentence);
    sentence.again = Again::no;
    down(stages_, document, sentence.parts);
    sentence.parts_left = std::size_t(std::ranges::count(sentence.parts, false, &Sentence::finished));
    if (sentence.parts_left == 0) {
        join_parts(document, sentence);
        return settle(document, sentence);
    }
    std::vector<decode::SearchInput> none;
    for (Sentence& part : sentence.parts)
        if (!part.finished) ask(document, part, none);
    DRAGOMAN_ASSERT(none.empty());  // parts attend, so that they go to the second search: the first may be closed
}

// A sentence that has its translation, or a part of one.
void Run::settle(Document& document, Sentence& sentence) {
    if (Sentence* const whole = sentence.whole) {
        if (--whole->parts_left > 0) return;
        join_parts(document, *whole);
        return settle(document, *whole);
    }
    if (relay_) relay_->pass(document, sentence);
    else complete(document, sentence);
}

void Run::complete(Document& document, Sentence& sentence) {
    --document.unfinished;
    count_finished(document, sentence);
}

void Run::count_finished(const Document& document, const Sentence& sentence) {
    ++counts_.finished;
    if (sink_.sentence) sink_.sentence(document, sentence);
}

// A translation, for a memory that somebody may write.
void Run::record(const Document& document, const Sentence& sentence) const {
    if (sentence.copied || sentence.hypotheses.empty() || sentence.hypotheses.front().text.empty()) return;
    const spec::LanguageTag source = segment_source(plan_, sentence.target_language);
    plan_.text.memory->record({sentence.language.empty() ? source.str() : sentence.language,
                               std::string(text::part(document.text, sentence.body))},
                              {sentence.target_language.str(), sentence.hypotheses.front().text});
}

void Run::tell_partial(const Asked& asked, std::span<const uint32_t> ids) {
    for (const Place& place : asked.request->places) {
        const Sentence& sentence = *place.sentence;
        if (sentence.whole) continue;
        Hypothesis own{.tokens = model_->target().tokens(ids.subspan(std::min(sentence.fed, ids.size())))};
        if (model_->right_to_left()) std::ranges::reverse(own.tokens);
        if (model_->info().has_tokenizer) {
            text::DetokenizedText words = model_->continues() ? model_->detokenize_behind(sentence.tokens, own.tokens)
                                                              : model_->detokenize(own.tokens);
            own.text = std::move(words.text);
            own.ranges = std::move(words.ranges);
            if (sentence.shown) put_back(*sentence.shown, own, plan_.text.target_language);
        }
        sink_.partial(*place.document, sentence, own);
    }
}

}  // namespace dragoman::pipeline
