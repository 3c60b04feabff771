// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/searches.h"

#include <map>
#include <utility>

#include "base/error.h"

namespace dragoman::pipeline {

// A search with the queries that wait for its answers.
class Searches::Open {
public:
    Open(std::shared_ptr<const engine::Replicas> replicas, engine::SearchOptions options,
         std::shared_ptr<engine::Mailbox> mailbox, const Sink& sink)
        : search_(std::move(replicas), std::move(options), std::move(mailbox), engine_sink(sink)) {}

    void ask(Waiting query, decode::SearchInput input) {
        inputs_.push_back(std::move(input));
        try {
            at_work_[search_.added() + inputs_.size() - 1] = std::move(query);
        } catch (...) {  // a query without its input would wait for ever
            inputs_.pop_back();
            throw;
        }
    }

    void send(bool last) {
        if (!inputs_.empty()) search_.add(std::exchange(inputs_, {}), last);
        else if (last && search_.added() > 0) search_.close();
    }

    bool waits() const { return !at_work_.empty(); }
    engine::Search& search() { return search_; }
    const engine::Search& search() const { return search_; }

private:
    engine::Search::Sink engine_sink(const Sink& sink) {
        engine::Search::Sink own{.finished =
                                     [this, &sink](std::size_t input, decode::SearchOutput output) {
                                         sink.answered(std::move(at_work_.extract(input).mapped()), std::move(output));
                                     },
                                 .partial = {}};
        if (sink.partial)
            own.partial = [this, &sink](std::size_t input, std::span<const uint32_t> ids) {
                sink.partial(*at_work_.at(input), ids);
            };
        return own;
    }

    std::vector<decode::SearchInput> inputs_{};  // to be sent
    std::map<std::size_t, Waiting> at_work_{};   // by the engine's number
    engine::Search search_;  // ends first
};

Searches::Searches(std::shared_ptr<const engine::Replicas> replicas, engine::SearchOptions options,
                   std::shared_ptr<engine::Mailbox> mailbox, Sink sink)
    : replicas_(std::move(replicas)), options_(std::move(options)), mailbox_(std::move(mailbox)),
      sink_(std::move(sink)), first_(std::make_unique<Open>(replicas_, options_, mailbox_, sink_)) {}

Searches::~Searches() = default;

void Searches::ask(Waiting query, decode::SearchInput input, bool attends) {
    DRAGOMAN_ASSERT(attends || !closed_);
    if (attends && !second_) {
        engine::SearchOptions options = options_;
        options.rules.attention = true;
        second_ = std::make_unique<Open>(replicas_, std::move(options), mailbox_, sink_);
        if (cancelled_) second_->search().cancel();  // by an answer that came late; else nothing would end it
    }
    (attends ? second_ : first_)->ask(std::move(query), std::move(input));
}

void Searches::send(bool last) {
    closed_ = last;
    first_->send(last);
    send_further();
}

void Searches::send_further() {
    if (!second_ || cancelled_ || second_closed_) return;
    second_->send(false);
    if (!closed_ || !first_idle() || second_->waits()) return;
    second_closed_ = true;
    second_->search().close();
}

void Searches::cancel() noexcept {
    cancelled_ = true;
    first_->search().cancel();
    if (second_) second_->search().cancel();
}

bool Searches::owns(const engine::Event& event) const {
    return first_->search().owns(event) || (second_ && second_->search().owns(event));
}

void Searches::handle(engine::Event event) {
    (first_->search().owns(event) ? first_ : second_)->search().handle(std::move(event));
    send_further();
}

bool Searches::first_idle() const { return first_->search().added() == 0 || first_->search().over(); }

bool Searches::used() const { return first_->search().added() > 0 || second_; }

bool Searches::idle() const { return first_idle() && (!second_ || second_->search().over()); }

std::exception_ptr Searches::error() const {
    for (const Open* const open : {first_.get(), second_.get()})
        if (open && open->search().over() && open->search().error()) return open->search().error();
    return nullptr;
}

}  // namespace dragoman::pipeline
