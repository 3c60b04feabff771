// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>

#include "base/error.h"
#include "decode/search.h"
#include "vulkan/context.h"

namespace dragoman::nn {
class Seq2Seq;
}

namespace dragoman::decode {

using Ticket = uint64_t;  // identifies a sentence; chosen by the caller, unique in the stream

struct StreamEvents {
    struct Finished {
        Ticket ticket;
        SearchOutput output;
    };
    struct Partial {
        Ticket ticket;
        // tokens of the best unfinished hypothesis; the next report may begin differently
        std::vector<uint32_t> tokens;
    };
    struct Failed {  // these sentences failed; the others go on
        Ticket ticket;
        Error error;
    };
    std::vector<Finished> finished;
    std::vector<Partial> partial;
    std::vector<Failed> failed;
    uint64_t source_tokens = 0;  // progress: one per step and sentence, and the rest at its end
};

enum class Urgency : uint8_t {
    bulk = 1,
    express = 2,  // may use the slots reserved for it, and on CPUs runs before bulk work that is under way
};

// Compiles and checks the pipelines that searches by these rules will need, encoders included, so that sentences do not
// wait for them. Safe from any thread.
void prepare(const std::shared_ptr<vulkan::Context>& context, const nn::Seq2Seq& model, const SearchRules& rules,
             const std::atomic<bool>& stop);

class Session;
struct SessionShape;

// A continuous search: finished sentences leave their slots, waiting ones take them, and their encoders run between
// chunks of decoder steps. A sentence's result is the same as alone, to the bit in f32. One thread at a time may use a
// stream.
class Stream {
public:
    // `model` and `stats` must outlive the stream.
    Stream(std::shared_ptr<vulkan::Context> context, const nn::Seq2Seq& model, const SearchRules& rules,
           const StreamLimits& limits, SearchStats& stats);
    ~Stream();

    const SearchRules& rules() const { return rules_; }
    const StreamLimits& limits() const { return limits_; }

    struct Order {
        int32_t priority = 0;  // higher priorities enter first,
        double rank = 0.0;  // then lower ranks; equal ones in their order of arrival
        Urgency urgency = Urgency::bulk;
        bool partial = false;  // wants partial results
    };
    void add(Ticket ticket, SearchInput input, const Order& order);
    bool cancel(Ticket ticket);  // False: the sentence is not here. No event follows.
    void clear();  // cancels all
    bool idle() const { return waiting_.empty() && live_.empty(); }
    std::size_t waiting() const { return waiting_.size(); }
    std::size_t live() const { return live_.size(); }
    // The rank at which a newcomer of this priority is neither ahead of nor behind the sentences that are here.
    double start_rank(int32_t priority) const;
    bool has_express() const;  // waiting or running
    int32_t highest_priority() const;  // among waiting and running sentences; not when idle

    // Admits sentences, runs a chunk of steps and waits for it once. Where memory runs out, half of the slots are given
    // up and their sentences begin again; a sentence that does not fit alone fails. Throws device_lost.
    void advance(StreamEvents& events);

    void trim();  // frees the buffers; only when idle
    // Called when `slots` sentences at a time do not fit, before fewer are tried or one fails. It frees memory of
    // others and returns whether there was any.
    void set_make_room(std::function<bool(uint32_t slots)> make_room) { make_room_ = std::move(make_room); }
    // Frees the buffers for other streams; all sentences begin again, half as many at a time. Not while advance() runs.
    void give_up_half();
    void regain_slots();  // called after others have left
    uint32_t slots() const;  // the buffers' number of slots
    uint64_t buffer_bytes() const;
    // Steps for which a sentence's caches have room at first (they grow when it needs more); 0: estimated from its
    // source.
    void set_initial_steps(uint32_t steps) { initial_steps_ = steps; }

private:
    struct Sentence {
        Ticket ticket;
        SearchInput input;
        Order order;
        uint64_t counted = 0;  // source tokens already counted in StreamEvents
    };
    using Key = std::pair<int64_t, double>;  // -priority, rank
    using Queue = std::multimap<Key, Sentence>;
    void admit_terms(SearchInput& input) const;
    void wait(Sentence sentence);
    Sentence leave_queue(Queue::const_iterator at);
    uint32_t first_steps(const SearchInput& input) const;
    uint32_t steps_left(uint32_t slot, const SearchInput& input) const;
    uint64_t budget() const;
    bool buffers_fit(const SessionShape& shape) const;
    bool fits(const SessionShape& shape) const;
    SessionShape shape_for(uint32_t slots) const;
    SessionShape plan() const;
    bool needs_larger() const;
    Queue::const_iterator front() const;
    void admit(StreamEvents& events);
    std::vector<Queue::const_iterator> candidates();
    Urgency least_urgency() const;
    uint32_t chunk(Urgency least) const;
    uint32_t steps_together() const;
    bool gives_up(uint32_t slot) const;
    void collect(StreamEvents& events);
    void count(Sentence& sentence, uint32_t steps, bool finished, StreamEvents& events);
    void begin_again();
    void make_places(StreamEvents& events);
    bool enlarge(uint32_t slot);
    bool enlarge_for_only(uint32_t slot);
    void send_back(uint32_t slot);
    void fail_waiting(StreamEvents& events, Queue::const_iterator at, const Error& error);
    void give_up_slots(StreamEvents& events, const Error& error);

    std::shared_ptr<vulkan::Context> context_;
    const nn::Seq2Seq& model_;
    SearchRules rules_;
    StreamLimits limits_;
    SearchStats& stats_;
    uint32_t initial_steps_ = 0;
    uint32_t most_slots_;  // fewer than the limit after memory ran out
    std::function<bool(uint32_t)> make_room_;
    Queue waiting_;
    std::map<int32_t, double> entered_rank_;  // the rank of the last entrant, by priority
    std::unordered_map<Ticket, Queue::const_iterator> places_;  // in waiting_
    std::size_t express_waiting_ = 0;
    std::map<uint32_t, Sentence> live_;  // by slot
    std::unique_ptr<Session> session_;
    bool cramped_ = false;  // a sentence's caches are full and cannot grow yet
    double step_seconds_ = 0.0;
    std::size_t timed_live_ = 0;  // sentences in the timed steps; 0: not known
    double bulk_paused_seconds_ = 0.0;  // pause beyond its share
};

}  // namespace dragoman::decode
