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
#include "engine/replicas.h"
#include "engine/search_options.h"
#include "engine/spread_task.h"

namespace dragoman::engine {

// How many sentences, and how many of their tokens, a search with this beam has on the device at a time.
decode::StreamLimits stream_limits(vulkan::DeviceKind kind, const nn::Seq2SeqInfo& info, uint32_t beam_size);

// A search in progress on a growing list of inputs. One thread at a time may use it, except for cancel().
class Search {
public:
    struct Sink {
        // Hypotheses come best first, with their final scores.
        std::function<void(std::size_t input, decode::SearchOutput output)> finished;
        std::function<void(std::size_t input, std::span<const uint32_t> ids)> partial;  // may be empty
    };

    // Events arrive in the mailbox; handle() turns them into calls of the sink.
    Search(std::shared_ptr<const Replicas> replicas, SearchOptions options, std::shared_ptr<Mailbox> mailbox,
           Sink sink);
    ~Search();  // cancels it
    Search(const Search&) = delete;

    // May be called any number of times, while earlier inputs are being searched; `inputs` may be empty. Numbers
    // continue from call to call; returns the first one. `last` does what close() does. A few sentences that are added
    // with `last` overtake bulk work. Inputs with terms go to a lane of their own. Throws invalid_argument or
    // unsupported for terms that decode::check_terms() refuses.
    std::size_t add(std::vector<decode::SearchInput> inputs, bool last = false);
    void close();  // no more inputs: the search is over after the last output
    void cancel() noexcept;  // from any thread; the search is over soon

    bool owns(const Event& event) const;
    void handle(Event event);  // the event must belong to this search
    bool over() const { return over_; }
    // once the search is over; null: every input is finished
    const std::exception_ptr& error() const { return error_; }
    std::size_t added() const { return added_; }
    std::size_t finished() const { return finished_; }

private:
    // An unfinished input.
    struct Input {
        std::size_t source_length = 0, context = 0;
        // With alternatives: the input that they continue, the ones that ended with their first token, and the others.
        // With samples: the samples.
        decode::SearchInput from{};
        decode::SearchOutput output{};
        std::vector<decode::Hypothesis> continued{};
        std::size_t left = 0;
    };
    // A continued hypothesis: the prefix and one more token.
    struct Continuation {
        std::size_t input, place;  // the input, and the place in its `continued`
        float log_prob;
        std::size_t length;
    };

    // One of the tasks of a search, with a second task for those of its inputs that overflowed.
    struct Stage {
        std::unique_ptr<SpreadTask> own_task, own_rerun;
        std::atomic<SpreadTask*> task = nullptr, rerun_f32 = nullptr;  // cancel() reads them
        std::size_t added = 0;  // number of inputs added to `task`
        // Numbers of unfinished inputs by those in `task`, where they differ.
        std::map<std::size_t, std::size_t> numbers{};
        std::vector<std::size_t> repeated{};  // inputs by their numbers in `rerun_f32`
        std::size_t left = 0;  // how many of these are unfinished
        decode::SearchRules rules{};
        bool partial = false, closed = false, ended = false;
        bool repeats(const Event& event) const { return own_rerun && own_rerun->owns(event); }
        bool has(const Event& event) const { return (own_task && own_task->owns(event)) || repeats(event); }
        bool over() const { return ended && left == 0; }
    };

    void open(Stage& stage, decode::SearchRules rules, bool partial);
    std::unique_ptr<SpreadTask> open_task(const Stage& stage, bool wide) const;
    void finish(Stage& stage, std::size_t input, decode::SearchOutput output);
    void rerun(Stage& stage, std::size_t input, decode::SearchInput source);
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

    const std::shared_ptr<const Replicas> replicas_;
    const SearchOptions options_;
    const Sink sink_;
    const uint32_t samples_;  // inputs of the scheduler for each input
    const std::shared_ptr<Mailbox> mailbox_;
    Stage first_, continuing_;  // continuing_ is for the continuations of alternatives
    Stage with_terms_;  // opened with the first input that has terms
    std::map<std::size_t, Input> inputs_;
    std::map<std::size_t, Continuation> continuations_;
    std::size_t added_ = 0, finished_ = 0, continuations_added_ = 0;
    decode::Urgency urgency_ = decode::Urgency::bulk;
    bool over_ = false;
    std::atomic<bool> cancelled_ = false;
    std::exception_ptr error_;
};

}  // namespace dragoman::engine
