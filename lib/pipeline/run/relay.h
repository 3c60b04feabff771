// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "pipeline/model/plan.h"
#include "pipeline/value/sentence.h"

namespace dragoman::engine {
class Mailbox;
struct Event;
}  // namespace dragoman::engine

namespace dragoman::pipeline {

class Run;

// A model on the route from one language to another, and how it translates.
struct Leg {
    std::shared_ptr<const Model> model;
    Plan plan;
};

// Takes the sentences that a run's model has translated to the next model, one by one, while the run goes on with
// others, and replaces their hypotheses by the next model's translations. Like a run, for one thread at a time.
class Relay {
public:
    using Finished = std::function<void(Document&, Sentence&)>;
    // `finished` is called in work() and handle(). legs: the second one and those after it.
    Relay(std::vector<Leg> legs, bool scores, int priority, std::shared_ptr<engine::Mailbox> mailbox,
          Finished finished);
    ~Relay();

    void pass(Document& document, Sentence& sentence);  // finished by the model before; both stay where they are
    void finish() { ended_ = true; }                    // no more will come
    Run& run() { return *run_; }
    const Run& run() const { return *run_; }

private:
    // A sentence with what has become of each of its hypotheses.
    struct Passed {
        Document* document;
        Sentence* sentence;
        std::vector<TextResult> results{};
    };

    void take(Document& translated);
    void compose(Passed& passed) const;

    const bool scores_;
    const uint32_t num_hypotheses_;
    const bool tokens_, alignment_;  // wanted in the result
    const Finished finished_;
    std::deque<std::unique_ptr<Document>> waiting_;  // for the next model
    std::deque<Passed> passed_;                      // in the order of the documents
    bool ended_ = false;
    std::unique_ptr<Run> run_;
};

// Composes a first model's translation of a sentence and a second model's translation of that. `between` are the
// sentences of the text between.
Translation compose(const Translation& first, const SourceSentences& between, const TextHypothesis& second);

}  // namespace dragoman::pipeline
