// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "nn/cells.h"
#include "nn/seq2seq.h"

namespace dragoman::nn {

struct RecurrentMemory;
struct RecurrentState;

// The encoder-decoder of recurrent cells with attention (Bahdanau et al. 2015) that RecurrentConfig describes.
class RecurrentNetwork final : public Seq2Seq {
public:
    // Uploads the weights (see WeightStore); `weights` is not needed afterwards. States are always f32.
    RecurrentNetwork(std::shared_ptr<vulkan::Context> context, const spec::RecurrentConfig& config,
                     const spec::WeightMap& weights, NumberTypes types);

    const Seq2SeqInfo& info() const override { return info_; }
    std::unique_ptr<EncoderMemory> make_encoder_memory(uint32_t source_tokens) const override;
    std::unique_ptr<State> make_state(uint32_t rows, uint32_t places) const override;
    void encode(Recorder& rec, const EncodeInput& input, EncoderMemory& memory) const override;
    void step(Recorder& rec, const StepInput& input, const EncoderMemory& memory, State& state,
              const Tensor& logits) const override;
    std::unique_ptr<const Seq2Seq> widened() const override;
    bool writes_records() const override { return true; }
    std::unique_ptr<OutputSubset> make_output_subset(uint32_t capacity) const override;
    void select_outputs(Recorder& rec, const BufferView& ids, const Extent& count, OutputSubset& subset) const override;
    void grow(Recorder&, State&, uint32_t) const override {}  // states take no places
    void copy_places(Recorder&, State&, uint32_t, uint32_t, uint32_t) const override {}

    uint64_t device_bytes() const { return store_.device_bytes(); }
    const Fingerprint& fingerprint() const { return store_.fingerprint(); }

private:
    RecurrentNetwork(const RecurrentNetwork&) = default;
    using Layer = std::vector<Cell>;  // one after the other in a step
    // The progress of a layer through the sentences.
    struct Run {
        const Layer* layer;
        bool backward;
        Tensor inputs;  // [tokens, gates d]: the first cell's products
        CellState state;
        Tensor residual;  // optional
        Tensor out;
        uint32_t out_column;
    };
    void load_encoder();
    void load_decoder();
    void describe();
    void prepare(RecurrentMemory& memory, uint32_t sentences) const;
    Run make_run(Recorder& rec, const Layer& layer, RecurrentMemory& memory, uint32_t lane, const Tensor& x,
                 Activations& tokens) const;
    void record_runs(Recorder& rec, const EncodeInput& input, std::span<const Run> runs, Activations& sentences) const;
    void record_layers(Recorder& rec, const EncodeInput& input, RecurrentMemory& memory, const Tensor& context,
                       Activations& tokens, Activations& sentences) const;
    void record_layer(Recorder& rec, const StepInput& input, const RecurrentMemory& memory, std::size_t i,
                      RecurrentState& state, Activations& a) const;
    void record_attention(Recorder& rec, const StepInput& input, const RecurrentMemory& memory, RecurrentState& state,
                          Activations& a) const;
    Tensor record_deep_output(Recorder& rec, RecurrentState& state, Activations& a) const;
    uint64_t token_bytes() const;  // of a memory, per source token
    uint64_t sentence_bytes() const;  // per sentence that enters

    spec::RecurrentConfig config_;
    WeightStore store_;
    DType type_;
    Seq2SeqInfo info_;
    std::vector<MatrixPart> source_, target_;  // embedding tables
    std::vector<Layer> forward_, backward_, upper_, decoder_;
    NormedLinear query_, key_, start_;
    ops::BufferView attention_vector_;
    std::vector<NormedLinear> output_;  // for the embedding, the state and the context
    Linear projection_;
};

}  // namespace dragoman::nn
