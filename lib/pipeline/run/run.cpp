// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/run.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/failure.h"
#include "base/log.h"
#include "text/normalize.h"
#include "text/token_ranges.h"

namespace dragoman::pipeline {
namespace {

constexpr std::size_t kPortionTokens = 1u << 14;  // brought down at once: some tens of milliseconds of a processor
constexpr std::size_t kBytesPerToken = 8;         // at most, of what a portion holds: unknown ones may be very long
constexpr std::size_t kWindowTokens = 1u << 17;   // at work or waiting for the engine: four times what a GPU runs
constexpr std::size_t kWindowDocuments = 1u << 14;  // not delivered: the first may take long, and blank ones no time
constexpr std::size_t kWindowSentences = 1u << 14;  // not in a result: the first may take long, and numbers no time
constexpr std::size_t kWindowBytes = 1u << 23;  // of their texts: more than the window's tokens, blank ones aside

Stages stages_of(const Plan& plan) {
    return plan.inputs == Plan::Inputs::texts ? text_stages(plan) : token_stages(plan);
}

bool last(const std::vector<Leg>& legs) { return legs.size() == 1; }

// A first model's tokens and scores are needed to compose its results with the next one's.
Plan first_plan(std::vector<Leg>& legs) {
    Plan& plan = legs.front().plan;
    if (!last(legs)) plan.text.return_tokens = plan.decoding.return_scores = true;
    return std::move(plan);
}

text::CountTokens counter_of(const Model& model) {
    return [&model](std::string_view part) { return model.tokenize(text::normalize(part).text).tokens.size(); };
}

Run::Sink without_partials(Run::Sink sink) {
    sink.partial = {};
    return sink;
}

std::unique_ptr<Relay> next_relay(std::vector<Leg> legs, int priority, std::shared_ptr<engine::Mailbox> mailbox,
                                  Relay::Finished finished) {
    std::vector<Leg> others(std::make_move_iterator(legs.begin() + 1), std::make_move_iterator(legs.end()));
    const bool scores = others.front().plan.decoding.return_scores;
    for (Leg& leg : others) leg.plan.decoding.return_scores = true;
    return std::make_unique<Relay>(std::move(others), scores, priority, std::move(mailbox), std::move(finished));
}

}  // namespace

std::size_t Run::KeyHash::operator()(const Key& key) const {
    const auto* bytes = reinterpret_cast<const char*>(key.data());
    return std::hash<std::string_view>()({bytes, key.size() * sizeof(uint32_t)});
}

Run::Run(std::vector<Leg> legs, DocumentSource source, std::size_t documents, int priority,
         std::shared_ptr<engine::Mailbox> mailbox, Sink sink)
    : model_(legs.front().model), plan_(first_plan(legs)), stages_(stages_of(plan_)),
      remembered_(Remembered::of(plan_)), source_(std::move(source)), documents_expected_(documents),
      samples_(plan_.rules.sampling ? plan_.decoding.num_hypotheses : 1),
      sink_(last(legs) ? std::move(sink) : without_partials(std::move(sink))),
      retries_(stages_, counter_of(*model_),
               {.ask = [this](Document& document, Sentence& attempt) { ask(document, attempt); },
                .settled = [this](Document& document, Sentence& sentence) { pass_on(document, sentence); }}),
      relay_(last(legs) ? nullptr
                        : next_relay(std::move(legs), priority, mailbox,
                                     [this](Document& document, Sentence& done) { complete(document, done); })),
      searches_(model_->replicas(), plan_.search_options(priority, bool(sink_.partial)), std::move(mailbox),
                {.answered = [this](Searches::Waiting query,
                                    decode::SearchOutput output) { answer(std::move(query), std::move(output)); },
                 .partial = sink_.partial ? [this](const Query& query,
                                                   std::span<const uint32_t> ids) { tell_partial(query, ids); }
                                          : Searches::Partial()}) {}

Run::~Run() = default;

bool Run::owns(const engine::Event& event) const {
    return searches_.owns(event) || (relay_ && relay_->run().owns(event));
}

std::size_t Run::done() const { return requests_done_ + (relay_ ? relay_->run().done() : 0); }

std::size_t Run::total() const {
    const std::size_t unseen = documents_expected_ - std::min(documents_expected_, documents_taken_);
    const std::size_t own = requests_ + places_left_ + unseen;
    return relay_ ? own + std::max(own, relay_->run().total()) : own;
}

void Run::cancel() noexcept {
    cancelled_ = true;
    searches_.cancel();
    if (relay_) relay_->run().cancel();
    if (searches_.idle() && !over_) end(Failure::make(Status::cancelled, "translation cancelled").exception());
}

bool Run::work() {
    if (over_ || cancelled_) return false;
    try {
        const bool own = !searches_.closed() && bring_down();
        if (!relay_) return own;
        end_with_relay();  // it is told at once when no search of this one will
        const bool next = relay_->run().work();
        deliver();
        end_with_relay();
        return own || next;
    } catch (...) {
        searches_.cancel();
        end(std::current_exception());
        return false;
    }
}

bool Run::bring_down() {
    std::size_t tokens = 0;
    try {
        tokens = bring_portion_down();
    } catch (...) {
        if (!sink_.results_before_error) throw;
        input_error_ = std::current_exception();
        ended_ = true;
    }
    searches_.send(ended_);
    deliver();
    if (ended_ && !searches_.used() && !relay_) end(input_error_);
    return tokens > 0 && !ended_;
}

// Returns the portion's tokens.
std::size_t Run::bring_portion_down() {
    std::size_t tokens = 0;
    while (tokens < kPortionTokens && tokens_at_work_ < kWindowTokens && held_ < kWindowSentences) {
        Document* const document = next_document();
        if (!document) break;
        ++tokens;
        if (document->down()) continue;  // a blank text
        places_left_ -= document->places.expected();
        const auto first = down(stages_, *document);
        places_left_ += document->places.expected();
        for (auto at = first; at != document->sentences.end(); ++at)
            tokens += std::max(at->tokens.size() * samples_, at->range.size() / kBytesPerToken);
        enter(*document, first);
    }
    return tokens;
}

Document* Run::next_document() {
    if (!documents_.empty() && !documents_.back()->down()) return documents_.back().get();
    if (ended_ || documents_.size() >= kWindowDocuments || window_bytes_ >= kWindowBytes) return nullptr;
    NextDocument next = source_();
    ended_ = next.ended && !next.document;
    if (!next.document) return nullptr;
    next.document->index = documents_taken_++;
    window_bytes_ += next.document->window_bytes = next.document->text.size();
    open(stages_, *next.document);
    places_left_ += next.document->places.expected();
    return documents_.emplace_back(std::move(next.document)).get();
}

void Run::enter(Document& document, Sentences::iterator first) {
    for (auto at = first; at != document.sentences.end(); ++at) {
        ++counts_.found;
        ++held_;
        if (at->finished) {
            if (!at->copied && !(at->flags & SentenceFlags::from_memory)) ++counts_.sentences;
            ++requests_;
            ++requests_done_;
            at->settled = true;
            count_finished(document, *at);
        } else ask(document, *at);
    }
}

void Run::handle(engine::Event event) {
    if (over_) return;
    try {
        if (searches_.owns(event)) searches_.handle(std::move(event));
        else relay_->run().handle(std::move(event));
        deliver();
    } catch (...) {
        searches_.cancel();
        return end(std::current_exception());
    }
    if (relay_) return end_with_relay();
    if (const std::exception_ptr error = searches_.error()) end(error);
    else if (searches_.over()) end(input_error_);
}

// Ends when both have ended, or one with an error.
void Run::end_with_relay() {
    if (over_) return;
    Run& next = relay_->run();
    if (searches_.over()) relay_->finish();
    if (const std::exception_ptr error = searches_.error()) {
        next.cancel();
        return end(error);
    }
    if (next.over() && next.error()) {
        searches_.cancel();
        return end(next.error());
    }
    if (searches_.over() && next.over()) end(input_error_);
}

// Puts settled sentences of the first document into its result. That of a text does not need them any more.
void Run::settle_sentences() {
    Document& document = *documents_.front();
    if (plan_.inputs == Plan::Inputs::tokens) return;
    while (!document.sentences.empty() && document.sentences.front().settled) {
        if (plan_.uses_segments && plan_.text.memory->records()) record(document, document.sentences.front());
        settle(stages_, document);
        --held_;
    }
}

// Delivers finished documents, in the order in which they came.
void Run::deliver() {
    while (!documents_.empty()) {
        settle_sentences();
        if (!documents_.front()->finished()) break;
        std::unique_ptr<Document> document = std::move(documents_.front());
        documents_.pop_front();
        window_bytes_ -= document->window_bytes;
        held_ -= document->sentences.size();
        close(stages_, *document);
        sink_.document(std::move(document));
    }
}

void Run::end(std::exception_ptr error) noexcept {
    error_ = std::move(error);
    over_ = true;
    try {
        if (remembered_) remembered_->flush();
    } catch (const std::exception& error) {  // the translation is there all the same
        log(LogLevel::warning, "memory: {}", error.what());
    }
}

}  // namespace dragoman::pipeline
