// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "nn/blocks.h"
#include "nn/recurrent.h"
#include "nn/seq2seq.h"

namespace dragoman::nn {

class Cuts;
struct TransformerState;
struct TransformerEncoderMemory;

// The encoder-decoder Transformer (Vaswani et al. 2017), or its decoder alone, in all the shapes TransformerConfig
// describes.
class Transformer final : public Seq2Seq {
public:
    // Uploads the weights (see WeightStore); `weights` is not needed afterwards. Activations are f32 where
    // config.wide_activations says so.
    Transformer(std::shared_ptr<vulkan::Context> context, const spec::TransformerConfig& config,
                const spec::WeightMap& weights, NumberTypes types);

    const Seq2SeqInfo& info() const override { return info_; }
    std::unique_ptr<EncoderMemory> make_encoder_memory(uint32_t source_tokens) const override;
    std::unique_ptr<State> make_state(uint32_t rows, uint32_t places) const override;
    void encode(Recorder& rec, const EncodeInput& input, EncoderMemory& memory) const override;
    std::unique_ptr<EncoderMemory> make_encoder_scratch(uint32_t source_tokens) const override;
    Tensor encode_only(Recorder& rec, const EncodeInput& input, EncoderMemory& scratch) const override;
    void step(Recorder& rec, const StepInput& input, const EncoderMemory& memory, State& state,
              const Tensor& logits) const override;
    std::unique_ptr<const Seq2Seq> widened() const override;
    std::vector<ops::Product> measured_products() const override;
    std::vector<ops::AttentionShape> measured_attention() const override;
    bool writes_records() const override { return true; }
    std::unique_ptr<OutputSubset> make_output_subset(uint32_t capacity) const override;
    void select_outputs(Recorder& rec, const BufferView& ids, const Extent& count, OutputSubset& subset) const override;
    void grow(Recorder& rec, State& state, uint32_t places) const override;
    void copy_places(Recorder& rec, State& state, uint32_t from, uint32_t to, uint32_t count) const override;

    uint64_t device_bytes() const { return store_.device_bytes(); }
    const Fingerprint& fingerprint() const { return store_.fingerprint(); }

private:
    Transformer(const Transformer&) = default;
    struct Embedding {
        std::vector<MatrixPart> table;
        uint32_t vocabulary = 0;
        ops::BufferView positions;  // empty: no table of positions
        uint32_t max_positions = 0;
        float scale = 1.0f;
        Surroundings around;  // before: follows the embedding; after: ends the stack
    };
    struct EncoderLayer {
        SelfAttention attention;
        FeedForward ffn;
    };
    struct DecoderLayer {
        std::variant<SelfAttention, Ssru, Gru, AverageAttention> earlier;  // mixes earlier target tokens into this one
        std::optional<CrossAttention> cross;  // nullopt: there is no encoder
        FeedForward ffn;
    };
    Embedding load_embedding(const std::string& scope, const std::string& table, const spec::StackConfig& stack,
                             uint32_t vocabulary, uint32_t d);
    ops::Heads load_heads(const std::string& scope, const spec::StackConfig& stack, bool bidirectional,
                          uint32_t layer = 0);
    void load_encoder();
    void load_decoder();
    void describe();
    void count_operations();
    void allocate_caches(TransformerState& state, uint32_t places) const;
    Activations encoder_activations(const EncodeInput& input, EncoderMemory& memory) const;
    Tensor record_encoder(Recorder& rec, const EncodeInput& input, Activations& a, Cuts& cuts) const;
    void record_embedding(Recorder& rec, const Embedding& embedding, const BufferView& ids, const BufferView& rows_map,
                          const BufferView& positions, bool zero_at_start, Activations& a) const;
    void record_self_attention(Recorder& rec, const SelfAttention& attention, const StepInput& input,
                               const Tensor& keys, const Tensor& values, Activations& a) const;
    void record_cross_attention(Recorder& rec, std::size_t layer, const StepInput& input,
                                const TransformerEncoderMemory& memory, Activations& a) const;

    spec::TransformerConfig config_;
    WeightStore store_;
    DType type_;  // type of activations and caches
    Seq2SeqInfo info_;
    Embedding source_, target_;
    std::vector<EncoderLayer> encoder_;
    std::vector<DecoderLayer> decoder_;
    Linear projection_;
    uint32_t alignment_layer_ = 0, alignment_first_head_ = 0, alignment_heads_ = 1;
};

}  // namespace dragoman::nn
