// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/run.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/error.h"

namespace dragoman::pipeline {
namespace {

constexpr std::size_t kPortionTokens = 1u << 14;  // brought down at once: some tens of milliseconds of a processor
constexpr std::size_t kWindowTokens = 1u << 17;   // at work or waiting for the engine: four times what a GPU runs
constexpr std::size_t kWindowDocuments = 1u << 14;  // not delivered: the first may take long, and blank ones no time
constexpr std::size_t kWindowBytes = 1u << 23;      // of their texts: more than the window's tokens, blank ones aside

Stages stages_of(const Plan& plan) {
    return plan.inputs == Plan::Inputs::texts ? text_stages(plan) : token_stages(plan);
}

bool last(const std::vector<Leg>& legs) { return legs.size() == 1; }

// A first model's tokens and scores are needed to put its results and the next one's together.
Plan first_plan(std::vector<Leg>& legs) {
    Plan& plan = legs.front().plan;
    if (!last(legs)) plan.text.return_tokens = plan.decoding.return_scores = true;
    return std::move(plan);
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
    : model_(legs.front().model), plan_(first_plan(legs)), stages_(stages_of(plan_)), remembered_(Remembered::of(plan_)), source_(std::move(source)),
      documents_expected_(documents), samples_(plan_.rules.sampling ? plan_.decoding.num_hypotheses : 1),
      sink_(last(legs) ? std::move(sink) : without_partials(std::move(sink))),
      relay_(last(legs) ? nullptr : next_relay(std::move(legs), priority, mailbox, [this](Document& document, Sentence& s) {
          complete(document, s);
      })),
      priority_(priority), mailbox_(mailbox),
      search_(model_->network(), plan_.search_options(priority, bool(sink_.partial)), std::move(mailbox),
              {.finished = [this](std::size_t input, decode::SearchOutput output) {
                   answer(std::move(at_work_.extract(input).mapped()), std::move(output));
               },
               .partial = sink_.partial ? [this](std::size_t input, std::span<const uint32_t> ids) {
                   tell_partial(at_work_.at(input), ids);
               } : std::function<void(std::size_t, std::span<const uint32_t>)>()}) {}

Run::~Run() = default;

bool Run::owns(const engine::Event& event) const {
    return search_.owns(event) || (second_ && second_->search->owns(event)) || (relay_ && relay_->run().owns(event));
}

std::size_t Run::done() const { return requests_done_ + (relay_ ? relay_->run().done() : 0); }

std::size_t Run::total() const {
    const std::size_t unseen = documents_expected_ - std::min(documents_expected_, documents_taken_);
    const std::size_t own = requests_ + places_left_ + unseen;
    return relay_ ? own + std::max(own, relay_->run().total()) : own;
}

void Run::cancel() {
    cancelled_ = true;
    search_.cancel();
    if (second_) second_->search->cancel();
    if (relay_) relay_->run().cancel();
    const bool second_over = !second_ || second_->search->over();
    if ((search_.added() == 0 || search_.over()) && second_over && !over_)
        end(std::make_exception_ptr(Error(Status::cancelled, "translation cancelled")));
}

bool Run::work() {
    if (over_ || cancelled_) return false;
    try {
        const bool own = !closed_ && bring_down();
        if (!relay_) return own;
        end_with_relay();  // it is told at once when no search of this one will
        const bool next = relay_->run().work();
        deliver();
        end_with_relay();
        return own || next;
    } catch (...) {
        search_.cancel();
        end(std::current_exception());
        return false;
    }
}

bool Run::bring_down() {
    std::vector<decode::SearchInput> inputs;
    std::size_t tokens = 0;
    try {
        tokens = bring_down(inputs);
    } catch (...) {
        if (!sink_.results_before_error) throw;
        input_error_ = std::current_exception();
        ended_ = true;
    }
    closed_ = ended_;
    if (!inputs.empty()) search_.add(std::move(inputs), closed_);
    else if (closed_ && search_.added() > 0) search_.close();
    add_second();
    deliver();
    if (closed_ && search_.added() == 0 && !second_ && !relay_) end(input_error_);
    return tokens > 0 && !closed_;
}

// A portion; returns its tokens.
std::size_t Run::bring_down(std::vector<decode::SearchInput>& inputs) {
    std::size_t tokens = 0;
    while (tokens < kPortionTokens && tokens_at_work_ < kWindowTokens) {
        Document* const document = next_document();
        if (!document) break;
        ++tokens;
        if (document->down()) continue;  // a blank text
        const auto first = down(stages_, *document);
        --places_left_;
        for (auto at = first; at != document->sentences.end(); ++at) tokens += at->tokens.size() * samples_;
        enter(*document, first, inputs);
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
    places_left_ += next.document->places.size();
    return documents_.emplace_back(std::move(next.document)).get();
}

void Run::enter(Document& document, Sentences::iterator first, std::vector<decode::SearchInput>& inputs) {
    for (auto at = first; at != document.sentences.end(); ++at) {
        ++counts_.found;
        if (at->finished) {
            if (!at->copied && !(at->flags & SentenceFlags::from_memory)) count_empty();
            count_finished(document, *at);
        }
        else ask(document, *at, inputs);
    }
}

// A sentence for which the model need not be asked.
void Run::count_empty() {
    ++requests_;
    ++requests_done_;
    ++counts_.sentences;
}

void Run::handle(engine::Event event) {
    if (over_) return;
    try {
        if (search_.owns(event)) search_.handle(std::move(event));
        else if (second_ && second_->search->owns(event)) second_->search->handle(std::move(event));
        else relay_->run().handle(std::move(event));
        add_second();
        deliver();
    } catch (...) {
        search_.cancel();
        return end(std::current_exception());
    }
    if (relay_) return end_with_relay();
    if (const std::exception_ptr error = searches_error()) end(error);
    else if (searches_over()) end(input_error_);
}

bool Run::searches_over() const {
    const bool first_over = closed_ && (search_.added() == 0 || search_.over());
    return first_over && (!second_ || second_->search->over());
}

// Of one that has ended; the other one is told to.
std::exception_ptr Run::searches_error() const {
    if (search_.over() && search_.error()) return search_.error();
    if (second_ && second_->search->over() && second_->search->error()) return second_->search->error();
    return nullptr;
}

// Ends when both have ended, or one with an error.
void Run::end_with_relay() {
    if (over_) return;
    Run& next = relay_->run();
    if (searches_over()) relay_->finish();
    if (const std::exception_ptr error = searches_error()) {
        next.cancel();
        return end(error);
    }
    if (next.over() && next.error()) {
        search_.cancel();
        return end(next.error());
    }
    if (searches_over() && next.over()) end(input_error_);
}

// Documents that are finished, in the order in which they came.
void Run::deliver() {
    while (!documents_.empty() && documents_.front()->finished()) {
        std::unique_ptr<Document> document = std::move(documents_.front());
        documents_.pop_front();
        window_bytes_ -= document->window_bytes;
        if (plan_.uses_segments && plan_.text.memory->records())
            for (const Sentence& sentence : document->sentences) record(*document, sentence);
        close(stages_, *document);
        sink_.document(std::move(document));
    }
}

void Run::end(std::exception_ptr error) {
    error_ = std::move(error);
    over_ = true;
    try {
        if (remembered_) remembered_->flush();
    } catch (...) {
        if (!error_) error_ = std::current_exception();
    }
}

}  // namespace dragoman::pipeline
