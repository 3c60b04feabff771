// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ops/group_table.h"
#include "ops/tensor.h"
#include "ops/tune.h"
#include "spec/attention_choice.h"

namespace dragoman::nn {

using ops::BufferView;
using ops::Extent;
using ops::Recorder;
using ops::Tensor;

// About the most operations of products and attention in one submission. An integrated GPU of 0.4 TFLOP/s needs 40 ms
// for them; some drivers reset a device after half a second.
inline constexpr uint64_t kOperationsPerList = 1ull << 34;
// The most for a step, which is always one submission; with fewer rows it would be no faster, because it waits for the
// weights.
inline constexpr uint64_t kOperationsPerStep = 4 * kOperationsPerList;

// The facts about a model that decoding needs.
struct Seq2SeqInfo {
    uint32_t target_vocabulary = 0;
    uint32_t max_source_positions = 0;  // longest source the positions allow
    uint32_t max_target_positions = 0;  // longest target
    uint64_t memory_bytes_per_token = 0;  // encoder keys and values, including the encoder's scratch
    uint64_t state_bytes_per_row = 0;     // decoder scratch of one row, without caches
    uint64_t cache_bytes_per_step = 0;    // self-attention caches of one row and step, all layers
    uint64_t largest_bytes_per_step = 0;  // the part of this in the largest single buffer
    uint32_t memory_alignment = 1;        // in source tokens
    uint64_t operations_per_token = 0;    // of the encoder's largest product
    uint64_t operations_per_row = 0;      // of all products of a step
    uint32_t encoder_width = 0;           // width of the encoder's output per token; 0: it cannot be read
    bool narrow = false;  // activations may overflow that do not in widened()
    bool alignment_next_step = false;  // a token's alignment is the attention of the step that reads it
    bool gate_apart = false;  // its usual attention is of the token before; a step's own attention is StepInput::gate
    bool log_probabilities = false;  // the logits are sums of log-probabilities: Marian's search takes them as scores
};

// Encoder keys and values of a batch, and the encoder's scratch, for a fixed number of source tokens.
struct EncoderMemory {
    virtual ~EncoderMemory() = default;
};

// Decoder caches and scratch for a number of cache rows. Caches of self-attention have `places`, one for every row and
// step; the steps' inputs say which ones a row has.
struct State {
    virtual ~State() = default;
};

// A ragged batch of sources: sentences lie end to end, no padding.
struct EncodeInput {
    BufferView ids;  // uint per token
    BufferView positions;  // uint per token, from 0 in every sentence
    BufferView row_sentence;  // uint per token
    BufferView sentence_begin;  // uint per sentence, and one for the end
    Extent tokens;
    Extent sentences;
    uint32_t longest = 0;  // tokens of the longest sentence
    uint32_t memory_begin = 0;  // row of the memory for the first token; a multiple of memory_alignment
    uint64_t token_pairs = 0;  // compared by attention: the sum of the squares of the sentences' lengths
    uint64_t operations_per_list = kOperationsPerList;  // the recorder is cut before there are more
};

// The output rows of some target tokens, gathered for a batch, so that its steps compute these logits only.
struct OutputSubset {
    virtual ~OutputSubset() = default;
};

// One decoder step of all live rows (see ops/attention.h for rows, slots and ancestry).
struct StepInput {
    BufferView tokens;  // uint per cache row: the token to feed
    BufferView position;  // uint per cache row
    BufferView live_rows;  // uint per live row
    BufferView ancestry;
    BufferView cache_ranges{};  // optional: places of the slots' rows; without it row c has c * max_steps and following
    BufferView source_begin;  // uint per slot
    BufferView source_length;  // uint per slot
    uint32_t beam = 1;
    uint32_t cache_rows = 0;
    uint32_t max_steps = 0;
    BufferView attention;  // optional, f32 [cache rows * max_steps, attention_stride]
    uint32_t attention_stride = 0;
    spec::AttentionChoice attention_of{};
    BufferView gate{};  // optional, like `attention`: the mean of the last layer's heads, if its attention is not kept
    Extent rows;
    const OutputSubset* outputs = nullptr;  // optional: logits are then [live rows, its capacity], in its order
    BufferView records{};  // records of the logits for ops::topk; optional, only for models that write_records()
    bool logits_unused = false;  // with records: the logits need not be written
};

// An encoder-decoder on a device. Immutable: everything that changes is in EncoderMemory and State, so one model serves
// several translators. The methods record; nothing runs until the list is submitted.
class Seq2Seq {
public:
    virtual ~Seq2Seq() = default;
    virtual const Seq2SeqInfo& info() const = 0;
    virtual std::unique_ptr<EncoderMemory> make_encoder_memory(uint32_t source_tokens) const = 0;
    virtual std::unique_ptr<State> make_state(uint32_t rows, uint32_t places) const = 0;
    virtual void encode(Recorder& rec, const EncodeInput& input, EncoderMemory& memory) const = 0;
    // Runs the encoder alone. It works in scratch that steps cannot use, and returns its output for each token,
    // [tokens, encoder_width]. The defaults throw unsupported.
    virtual std::unique_ptr<EncoderMemory> make_encoder_scratch(uint32_t source_tokens) const;
    virtual Tensor encode_only(Recorder& rec, const EncodeInput& input, EncoderMemory& scratch) const;
    // logits: f32 [live rows, target_vocabulary].
    virtual void step(Recorder& rec, const StepInput& input, const EncoderMemory& memory, State& state,
                      const Tensor& logits) const = 0;
    // The same network with float32 activations, on the same weights, which both keep. Null: it cannot be made.
    virtual std::unique_ptr<const Seq2Seq> widened() const { return nullptr; }
    // Its matrix products, to measure which kernels are fastest; empty for networks that are not measured.
    virtual std::vector<ops::Product> measured_products() const { return {}; }
    virtual std::vector<ops::AttentionShape> measured_attention() const { return {}; }
    virtual bool writes_records() const { return false; }
    // An empty subset of up to `capacity` outputs; the default throws unsupported.
    virtual std::unique_ptr<OutputSubset> make_output_subset(uint32_t capacity) const;
    // Fills the subset with the target tokens `ids` (uint each). Logits beyond their number become -1e30 or less.
    virtual void select_outputs(Recorder& rec, const BufferView& ids, const Extent& count, OutputSubset& subset) const;
    // Enlarges the caches, and records the copy of their contents. Steps must be recorded again.
    virtual void grow(Recorder& rec, State& state, uint32_t places) const = 0;
    // Copies `count` places of the caches to others, which must not overlap.
    virtual void copy_places(Recorder& rec, State& state, uint32_t from, uint32_t to, uint32_t count) const = 0;
};

}  // namespace dragoman::nn
