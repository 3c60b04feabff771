// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/search.h"
#include "pipeline/value/sentence.h"

namespace dragoman::pipeline {

// Equal sentences, for which the engine is asked once.
struct Query {
    struct Place {
        Document* document;
        Sentence* sentence;
    };
    const std::vector<uint32_t>* key = nullptr;  // what they have in common; null: nobody else asks the same
    std::vector<Place> places{};
    std::shared_ptr<const decode::SearchOutput> output{};  // null: at work
    std::size_t tokens = 0, bytes = 0;
    std::size_t tokens_at_work = 0;  // of all places that wait for the answer
    std::string question{};  // for the memory; empty: none
};

// The engine's searches for one run: the first one, and a second for sentences whose attention is needed, retries among
// them, since the first may have been told by then that no more inputs come. One thread at a time.
class Searches {
public:
    using Waiting = std::shared_ptr<Query>;
    using Partial = std::function<void(const Query&, std::span<const uint32_t> ids)>;
    struct Sink {
        std::function<void(Waiting, decode::SearchOutput)> answered;
        Partial partial;  // may be empty
    };
    Searches(std::shared_ptr<const engine::Replicas> replicas, engine::SearchOptions options,
             std::shared_ptr<engine::Mailbox> mailbox, Sink sink);
    ~Searches();  // cancels them

    void ask(Waiting query, decode::SearchInput input, bool attends);  // goes with the next send()
    // last: no further sentence comes except those that attend.
    void send(bool last);
    // Sends the inputs that attend, and closes the second search once nobody can ask it any more.
    void send_further();
    void cancel() noexcept;

    bool owns(const engine::Event& event) const;
    void handle(engine::Event event);  // one that it owns

    bool used() const;  // something was asked
    bool idle() const;  // nothing is at work
    bool closed() const { return closed_; }
    bool over() const { return closed_ && idle(); }
    std::exception_ptr error() const;  // of the one that has ended with an error

private:
    class Open;

    bool first_idle() const;

    const std::shared_ptr<const engine::Replicas> replicas_;
    const engine::SearchOptions options_;
    const std::shared_ptr<engine::Mailbox> mailbox_;
    const Sink sink_;
    bool closed_ = false, second_closed_ = false, cancelled_ = false;
    std::unique_ptr<Open> first_, second_;  // second_: null until it is needed
};

}  // namespace dragoman::pipeline
