// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <unordered_map>

#include "base/error.h"
#include "decode/search.h"

namespace dragoman::decode {

using Ticket = uint64_t;  // names a sentence; chosen by the caller, different for all that are in a stream

struct StreamLimits {
    uint32_t slots = 32;            // sentences searched at a time
    uint32_t source_tokens = 4096;  // of these sentences
    uint64_t memory_bytes = 0;      // for buffers; 0: half of what the device has free
    bool operator==(const StreamLimits&) const = default;
};

struct StreamEvents {
    struct Finished {
        Ticket ticket;
        SearchOutput output;
    };
    struct Partial {
        Ticket ticket;
        std::vector<uint32_t> tokens;  // of the best hypothesis that goes on; the next one may differ from its beginning
    };
    struct Failed {  // alone; the others go on
        Ticket ticket;
        Error error;
    };
    std::vector<Finished> finished;
    std::vector<Partial> partial;
    std::vector<Failed> failed;
};

enum class Urgency : uint8_t {
    bulk = 1,
    express = 2,  // may use the slots kept for it, and on CPUs runs before bulk work that is under way
};

// A search that goes on: sentences that finish leave their slots, waiting ones take them, and their encoders run
// between chunks of decoder steps. A sentence's result is the same as alone, to the bit in f32. One thread at a time.
class Stream {
public:
    Stream(std::shared_ptr<vulkan::Context> context, const nn::Seq2Seq& model, const SearchRules& rules,
           const StreamLimits& limits, SearchStats& stats);
    ~Stream();

    const SearchRules& rules() const { return rules_; }
    const StreamLimits& limits() const { return limits_; }

    struct Order {
        double rank = 0.0;  // lower ones enter first; equal ones as they came
        Urgency urgency = Urgency::bulk;
        bool partial = false;  // wants partial results
    };
    void add(Ticket ticket, SearchInput input, const Order& order);
    bool cancel(Ticket ticket);  // false: not here. No event follows.
    void clear();                // cancels all
    bool idle() const { return waiting_.empty() && live_.empty(); }
    std::size_t waiting() const { return waiting_.size(); }
    std::size_t live() const { return live_.size(); }

    // Lets sentences in, runs a chunk of steps and waits for it once. Where memory runs out, half of the slots are
    // given up and their sentences begin again; a sentence that does not fit alone fails. Throws device_lost; then the
    // stream is as it was, but useless.
    void advance(StreamEvents& events);

    void trim();  // when idle: frees the buffers
    // Steps the caches of a sentence hold at first (they grow when it needs more); 0: estimated from its source.
    void set_initial_steps(uint32_t steps) { initial_steps_ = steps; }

private:
    struct Sentence {
        Ticket ticket;
        SearchInput input;
        Order order;
    };
    using Waiting = std::multimap<double, Sentence>;
    class Impl;

    SearchRules rules_;
    StreamLimits limits_;
    uint32_t initial_steps_ = 0;
    Waiting waiting_;
    std::unordered_map<uint32_t, Sentence> live_;  // by slot
    std::unique_ptr<Impl> impl_;
};

}  // namespace dragoman::decode
