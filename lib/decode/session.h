// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "decode/allowed_tokens.h"
#include "decode/mirror.h"
#include "decode/range_allocator.h"
#include "decode/session_shape.h"
#include "decode/stream.h"
#include "shared/sample.h"
#include "shared/search.h"

namespace dragoman::decode {

// Buffers and recorded steps for one shape and one set of rules: slots that sentences enter and leave.
class Session {
public:
    struct Entrant {
        const SearchInput* input;
        uint32_t steps;  // steps for which its caches have room at first
        Urgency urgency = Urgency::bulk;
        bool partial = false;
    };

    Session(std::shared_ptr<vulkan::Context> context, const nn::Seq2Seq& model, const SearchRules& rules,
            const SessionShape& shape);

    const SessionShape& shape() const { return shape_; }
    std::size_t free_slots() const { return free_slots_.size(); }

    // Admits as many from the front as there is room for, and returns their slots. Call it once between two calls of
    // advance().
    std::vector<uint32_t> enter(std::span<const Entrant> entrants);
    // Runs the encoders of those who entered, then steps of the slots that are at least so urgent, `together` of them
    // in a submission; waits once for all of it.
    void advance(uint32_t steps, uint32_t together, Urgency least, SearchStats& stats);

    bool finished(uint32_t slot) const { return outcome(slot)[OUTCOME_DONE] != 0; }
    bool overflowed(uint32_t slot) const { return outcome(slot)[OUTCOME_OVERFLOW] != 0; }
    uint32_t steps_done(uint32_t slot) const { return outcome(slot)[OUTCOME_STEPS]; }
    bool stalled(uint32_t slot) const { return steps_done(slot) >= places_[slot].steps && !finished(slot); }
    std::vector<uint32_t> partial(uint32_t slot) const;
    std::vector<SearchOutput> collect(std::span<const uint32_t> slots);  // slots in ascending order
    void leave(uint32_t slot);

    bool grow(uint32_t slot);  // enlarges the slot's caches; false: the session's caches have no room
    void enlarge(uint32_t cache_places);  // enlarges the session's caches; waits for the device

    // Compiles and checks what steps and encoders need for any number of sentences; runs nothing.
    void prepare(const std::atomic<bool>& stop);

private:
    static constexpr uint32_t kSamplingWords = sizeof(shared::SampleInput) / 4;
    struct Places {  // of a slot
        bool taken = false;
        Urgency urgency = Urgency::bulk;
        uint32_t source_begin = 0, source_length = 0;
        uint32_t cache_begin = 0, steps = 0;
        uint32_t context_length = 0;
        uint32_t min_length = 0;
        std::vector<uint32_t> allowed;
    };
    struct StepList {
        std::unique_ptr<ops::GroupTable> groups;  // null: rows are dispatched up to the most that may live
        std::unique_ptr<vulkan::CommandList> commands;
    };
    struct Move {
        uint32_t from, to, count;
    };

    const uint32_t* outcome(uint32_t slot) const { return outcome_->words() + slot * OUTCOME_WORDS; }
    ops::BufferView in_state(uint32_t at, uint32_t words) const;
    void lay_out_source();
    void lay_out_parameters();
    void lay_out_outcome();
    void lay_out_state();
    void upload_rules();
    void upload_run(std::span<const Entrant> entrants, uint32_t first_slot);
    void upload_sampling(std::span<const Entrant> entrants, uint32_t first_slot);
    void upload_terms(const SearchInput& input, uint32_t slot);
    void upload_sources(std::span<const Entrant> entrants);
    void upload_allowed(std::span<const Entrant> entrants, std::span<const uint32_t> slots);
    void allocate_allowed();
    void allocate_topk();
    std::vector<std::unique_ptr<vulkan::CommandList>> record_begin();
    void record_compact(ops::Recorder& rec);
    bool processes(uint32_t steps_ahead) const;
    const vulkan::CommandList& step_list(uint32_t live_slots, bool processes);
    std::unique_ptr<StepList> record_step(ops::Recorder& rec, uint32_t most_slots, bool processes);
    void prepare_later();
    using Record = std::function<void(ops::Recorder&)>;
    void for_each_list(const std::function<void(const Record&)>& visit);
    void record_encoder(ops::Recorder& rec, uint32_t tokens, uint32_t sentences);
    void record_search(ops::Recorder& rec, const ops::Extent& live_rows, const ops::Extent& live_slots,
                       const ops::Tensor& logits, bool recorded, bool processes);
    void record_certainty(ops::Recorder& rec, const ops::Extent& live_rows, const ops::Tensor& logits);
    void record_sampling(ops::Recorder& rec, const ops::Extent& live_rows, const ops::Tensor& logits,
                         const ops::BufferView& values, const ops::BufferView& columns);
    ops::BufferView column_records() const;  // the records of the logits, in topk_
    const vulkan::CommandList* report_list();  // null: the host can read the words directly

    std::shared_ptr<vulkan::Context> context_;
    const nn::Seq2Seq& model_;
    SearchRules rules_;
    SessionShape shape_;
    uint32_t align_words_;
    uint64_t list_bytes_ = 0, sum_bytes_ = 0;  // sizes in topk_
    shared::SearchPush push_{};
    uint64_t gate_at_ = 0;  // in attention_; 0: the model's own gate is used
    uint32_t partial_at_ = 0, forced_at_ = 0, sampling_at_ = 0, terms_at_ = 0, kinds_at_ = 0, term_state_at_ = 0;
    uint32_t source_begin_at_ = 0, source_length_at_ = 0, ranges_at_ = 0, ids_at_ = 0, positions_at_ = 0,
             row_sentence_at_ = 0, sentence_begin_at_ = 0, token_count_at_ = 0, sentence_count_at_ = 0;

    std::vector<Places> places_;  // by slot
    std::set<uint32_t> free_slots_;
    RangeAllocator source_rows_, caches_;
    std::vector<Move> moves_;  // moves within the caches, before the next step
    // to be encoded before the next step: sentences, tokens, first source row
    uint32_t entered_ = 0, entered_tokens_ = 0, entered_at_ = 0;
    uint64_t entered_pairs_ = 0;  // the sum over sentences that EncodeInput has
    uint32_t entered_longest_ = 0;  // tokens of the longest one
    bool prepared_ = false;  // the coming steps and encoders are being compiled
    bool relist_ = false;  // the lists of live rows are out of date
    Urgency least_ = Urgency::bulk;
    uint32_t listed_slots_ = 0, listed_rows_ = 0;  // for the next step
    std::array<uint32_t, PROGRESS_WORDS> counted_{};  // progress at the end of the last chunk

    std::unique_ptr<nn::EncoderMemory> memory_;
    std::unique_ptr<nn::State> state_;
    std::optional<AllowedTokens> allowed_tokens_;  // with shortlists
    uint32_t allowed_capacity_ = 0;
    std::unique_ptr<nn::OutputSubset> outputs_;
    std::shared_ptr<vulkan::Buffer> allowed_, allowed_count_, allowed_places_, allowed_logits_, permitted_;
    std::shared_ptr<vulkan::Buffer> search_, parameters_, logits_, topk_, attention_, outcome_attention_, source_;
    std::optional<Mirror> outcome_, progress_;
    // by the most live slots, and whether logits are processed
    std::map<std::pair<uint32_t, bool>, std::unique_ptr<StepList>> steps_;
    std::unique_ptr<vulkan::CommandList> compact_, report_;
};

}  // namespace dragoman::decode
