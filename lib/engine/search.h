// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "engine/mailbox.h"
#include "engine/model.h"
#include "engine/search_options.h"

namespace dragoman::engine {

// How many sentences, and how many of their tokens, a search with this beam has on the device at a time.
decode::StreamLimits stream_limits(vulkan::DeviceKind kind, const nn::Seq2SeqInfo& info, uint32_t beam_size);

// A search at work on a growing list of inputs. One thread at a time, except for cancel().
class Search {
public:
    struct Sink {
        // Hypotheses best first, their scores final.
        std::function<void(std::size_t input, decode::SearchOutput output)> finished;
        std::function<void(std::size_t input, std::span<const uint32_t> ids)> partial;  // may be empty
    };

    // Events arrive in the mailbox; handle() turns them into calls of the sink.
    Search(std::shared_ptr<const Model> model, SearchOptions options, std::shared_ptr<Mailbox> mailbox, Sink sink);
    ~Search();  // cancels it
    Search(const Search&) = delete;

    // Any number of times, while earlier inputs are at work; may be empty. Numbers go on from call to call; returns the
    // first one. last: as close(). A few sentences that are added with `last` overtake bulk work. Inputs with terms go to
    // a lane of their own. Throws invalid_argument or unsupported for terms that cannot be had, as decode::check_terms().
    std::size_t add(std::vector<decode::SearchInput> inputs, bool last = false);
    void close();   // no more inputs: it is over after the last output
    void cancel();  // from any thread; it is over soon

    bool owns(const Event& event) const;
    void handle(Event event);  // one that it owns
    bool over() const { return over_; }
    const std::exception_ptr& error() const { return error_; }  // once it is over; null: every input is finished
    std::size_t added() const { return added_; }
    std::size_t finished() const { return finished_; }

private:
    // An input that is not finished.
    struct Input {
        std::size_t source_length = 0, context = 0;
        // With alternatives: what they continue, those that ended with their first token, and the others. With samples:
        // these.
        decode::SearchInput from{};
        decode::SearchOutput output{};
        std::vector<decode::Hypothesis> continued{};
        std::size_t left = 0;
    };
    // A hypothesis of the prefix and one more token that is continued.
    struct Continuation {
        std::size_t input, place;  // in its `continued`
        float log_prob;
        std::size_t length;
    };

    // One of the tasks of a search, with the one for those of its inputs that overflowed.
    struct Stage {
        TaskId task = 0;
        std::atomic<TaskId> again = 0;  // cancel() reads it
        std::size_t added = 0;                            // to `task`
        std::map<std::size_t, std::size_t> numbers{};     // of inputs at work, by those in `task`, where they differ
        std::vector<std::size_t> repeated{};  // inputs by their numbers in `again`
        std::size_t left = 0;                 // of these
        decode::SearchRules rules{};
        bool partial = false, closed = false, ended = false;
        bool has(TaskId id) const { return id != 0 && (id == task || id == again); }
        bool over() const { return ended && left == 0; }
    };

    void open(Stage& stage, decode::SearchRules rules, bool partial);
    TaskId open_task(const nn::Seq2Seq& network, const Stage& stage) const;
    void finish(Stage& stage, std::size_t input, decode::SearchOutput output);
    void repeat(Stage& stage, std::size_t input, decode::SearchInput again);
    void go_on();
    void check_terms(const decode::SearchInput& input) const;
    std::vector<decode::SearchInput> take_with_terms(std::vector<decode::SearchInput>& inputs);
    static std::size_t number_of(const Stage& stage, bool repeated, std::size_t input);
    std::vector<decode::SearchInput> samples_of(std::span<const decode::SearchInput> inputs) const;
    void finish_sample(std::size_t number, decode::SearchOutput output);
    decode::SearchInput expansion_of(std::size_t input);
    void finish_whole(std::size_t input, decode::SearchOutput output);
    void expand(std::size_t input, decode::SearchOutput output);
    void finish_continuation(std::size_t number, decode::SearchOutput output);
    void emit(std::size_t input, decode::SearchOutput output);
    void end(Stage& stage, const Event& event);
    float final_score(const decode::Hypothesis& hypothesis, std::size_t first, std::size_t source_length) const;

    const std::shared_ptr<const Model> model_;
    const SearchOptions options_;
    const Sink sink_;
    const uint32_t samples_;  // inputs of the scheduler for each one
    const std::shared_ptr<Mailbox> mailbox_;
    Stage first_, continuing_;  // continuing_: with alternatives, for their continuations
    Stage with_terms_;          // opened with the first input that has some
    std::map<std::size_t, Input> inputs_;
    std::map<std::size_t, Continuation> continuations_;
    std::size_t added_ = 0, finished_ = 0, continuations_added_ = 0;
    decode::Urgency urgency_ = decode::Urgency::bulk;
    bool over_ = false;
    std::exception_ptr error_;
};

}  // namespace dragoman::engine
