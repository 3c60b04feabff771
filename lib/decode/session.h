// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "decode/search.h"
#include "shared/search.h"

namespace dragoman::decode {

// What a recorded step depends on. Two batches with equal shapes share one session.
struct SessionShape {
    SearchStyle style = SearchStyle::ctranslate2;
    uint32_t slots = 0;
    uint32_t beam = 1;
    uint32_t candidates = 1;       // per row
    uint32_t max_length = 0;
    uint32_t source_tokens = 0;
    uint32_t longest_source = 0;   // only with attention, else 0
    nn::AttentionChoice attention_of{};
    uint32_t finished_capacity = 1;
    uint32_t parameter_words = 0;  // for forced, end and suppressed tokens
    uint32_t allowed = 0;          // capacity of the shortlist; 0: none
    bool process_logits = false;
    bool unprocessed_sum = false;  // scores are relative to the logits before process_logits
    bool log_penalty = false;      // the repetition penalty needs that sum
    bool forced_scores = false;
    bool operator==(const SessionShape&) const = default;

    static SessionShape of(std::span<const SearchInput> batch, const SearchRules& rules);
    // Holds every batch of `other`'s shape.
    bool fits(const SessionShape& other) const;
};

// Buffers and the recorded step for one shape.
class Search::Session {
public:
    Session(std::shared_ptr<vulkan::Context> context, const nn::Seq2Seq& model, const SessionShape& shape,
            uint32_t max_steps);

    const SessionShape& shape() const { return shape_; }
    // `rules` may differ from batch to batch within a shape; the step is recorded again when they do.
    std::vector<SearchOutput> run(std::span<const SearchInput> batch, const SearchRules& rules, const Poll& poll,
                                  SearchStats& stats);

    static uint64_t largest_buffer_bytes(const nn::Seq2SeqInfo& info, const SessionShape& shape, uint32_t max_steps);
    static uint64_t total_bytes(const nn::Seq2SeqInfo& info, const SessionShape& shape, uint32_t max_steps);

private:
    ops::BufferView in_state(uint32_t at, uint32_t words) const;
    void allocate_search();          // everything that depends on max_steps_
    void lay_out();
    void set_rules(const SearchRules& rules, std::span<const SearchInput> batch);
    void allocate_shortlist();
    void upload(std::span<const SearchInput> batch);
    void upload_shortlist(const SearchRules& rules);
    std::unique_ptr<vulkan::CommandList> record_begin(uint32_t source_tokens, uint32_t sentences);
    void record_step();
    void record_search(ops::Recorder& rec, const ops::Extent& live_rows, const ops::Extent& live_slots,
                       const ops::Tensor& logits, bool recorded);
    ops::BufferView column_records() const;  // of the logits, in topk_
    void grow();
    std::vector<SearchOutput> collect(std::span<const SearchInput> batch, const SearchRules& rules);

    std::shared_ptr<vulkan::Context> context_;
    const nn::Seq2Seq& model_;
    SessionShape shape_;
    uint32_t max_steps_;
    uint32_t align_words_;
    uint64_t list_bytes_ = 0, sum_bytes_ = 0;  // in topk_
    shared::SearchPush push_{};
    shared::SearchPush recorded_push_{};
    uint32_t state_words_ = 0, state_head_words_ = 0, parameter_words_ = 0, outcome_words_ = 0;

    std::unique_ptr<nn::Memory> memory_;
    std::unique_ptr<nn::State> state_;
    std::unique_ptr<nn::OutputSubset> outputs_;  // with a shortlist
    std::shared_ptr<vulkan::Buffer> allowed_, allowed_count_, places_, allowed_logits_;
    std::shared_ptr<vulkan::Buffer> search_, parameters_, outcome_, progress_, logits_, topk_, attention_,
        outcome_attention_, source_;
    std::unique_ptr<ops::GroupTable> row_groups_, slot_groups_;
    std::unique_ptr<vulkan::CommandList> step_;
    std::vector<uint32_t> parameter_data_;
    uint32_t source_begin_at_ = 0, source_length_at_ = 0, ids_at_ = 0, positions_at_ = 0, row_sentence_at_ = 0,
             sentence_begin_at_ = 0, token_count_at_ = 0, source_words_ = 0;
};

}  // namespace dragoman::decode
