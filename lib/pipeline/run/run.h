// SPDX-License-Identifier: Apache-2.0
// Room "run": documents on their way through the stages and the engine: runs, jobs, retries, routes of several models,
// scoring, and the translator on top. What a single sentence becomes is decided in "stages", never here.
#pragma once

#include <deque>
#include <exception>
#include <functional>
#include <optional>
#include <unordered_map>

#include "pipeline/model/plan.h"
#include "pipeline/run/relay.h"
#include "pipeline/run/remembered.h"
#include "pipeline/run/retries.h"
#include "pipeline/run/searches.h"
#include "pipeline/stages/stage.h"

namespace dragoman::pipeline {

// The source of a run's documents. Null and not `ended`: none at the moment; wake the mailbox when there are more.
struct NextDocument {
    std::unique_ptr<Document> document;
    bool ended = false;
};
using DocumentSource = std::function<NextDocument()>;

// Numbers of a run so far. Equal sentences of texts go through the model once.
struct RunCounts {
    std::size_t sentences = 0;               // that went through the model
    std::size_t source_tokens = 0, target_tokens = 0;  // of these, and of their best hypotheses
    std::size_t found = 0, finished = 0;     // sentences of documents, with each equal one counted
};

// Brings any number of documents through the stages and the engine, in bounded memory. Sentences go down in portions
// while others are being translated; documents come out in the order in which they went in. One thread at a time: it
// takes the mailbox's events, gives the run's own to handle(), and calls work() in between.
class Run {
public:
    struct Sink {  // what they throw ends the run
        std::function<void(const Document&, const Sentence&)> sentence;            // finished; may be empty
        std::function<void(const Document&, const Sentence&, const Hypothesis&)> partial;  // may be empty
        std::function<void(std::unique_ptr<Document>)> document;                   // finished
        bool results_before_error = false;  // an input that cannot be used ends the run after those before it
    };
    // documents: their number, 0: unknown. Throws invalid_argument. Several legs: a model's translation is the next
    // one's text, and there are no partial results.
    Run(std::vector<Leg> legs, DocumentSource source, std::size_t documents, int priority,
        std::shared_ptr<engine::Mailbox> mailbox, Sink sink);
    Run(const Run&) = delete;
    ~Run();

    const Plan& plan() const { return plan_; }
    // Brings a portion down. False: nothing to do until an event or another document comes.
    bool work();
    bool owns(const engine::Event& event) const;
    void handle(engine::Event event);  // one that it owns
    void cancel() noexcept;
    bool over() const { return over_; }
    const std::exception_ptr& error() const { return error_; }  // null: every document came out
    const RunCounts& counts() const { return counts_; }
    bool all_found() const { return ended_; }  // counts().found is final
    // Different sentences that are done, and about how many there will be.
    std::size_t done() const;
    std::size_t total() const;

private:
    using Key = std::vector<uint32_t>;  // source, start, context and prefix
    struct KeyHash {
        std::size_t operator()(const Key& key) const;
    };

    bool bring_down();
    std::size_t bring_portion_down();
    Document* next_document();
    void enter(Document& document, Sentences::iterator first);
    void ask(Document& document, Sentence& sentence);
    bool lookup(const Query::Place& place, const Key& key, Query& query);
    void record(const Document& document, const Sentence& sentence) const;
    void finish(const Query::Place& place, const Query& query);
    void pass_on(Document& document, Sentence& sentence);
    void complete(Document& document, Sentence& sentence);
    void end_with_relay();
    void answer(Searches::Waiting query, decode::SearchOutput output);
    void keep(const Key* key, std::size_t bytes);
    void tell_partial(const Query& query, std::span<const uint32_t> ids);
    void count_finished(const Document& document, const Sentence& sentence);
    void settle_sentences();
    void deliver();
    void end(std::exception_ptr error) noexcept;

    const std::shared_ptr<const Model> model_;
    const Plan plan_;
    const Stages stages_;
    const std::unique_ptr<const Remembered> remembered_;  // null: no memory
    const DocumentSource source_;
    const std::size_t documents_expected_;
    const std::size_t samples_;  // of each sentence, all at work at the same time
    const Sink sink_;
    std::deque<std::unique_ptr<Document>> documents_;  // not delivered
    std::size_t documents_taken_ = 0, window_bytes_ = 0, places_left_ = 0, held_ = 0;
    const Retries retries_;
    std::unordered_map<Key, std::shared_ptr<Query>, KeyHash> known_;
    std::deque<const Key*> kept_;  // answered, oldest first
    std::size_t kept_bytes_ = 0, tokens_at_work_ = 0, requests_done_ = 0, requests_ = 0;
    RunCounts counts_;
    bool ended_ = false, over_ = false, cancelled_ = false;
    std::exception_ptr error_, input_error_;
    std::unique_ptr<Relay> relay_;  // null: the only model, or the last one
    Searches searches_;  // end first
};

}  // namespace dragoman::pipeline
