// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "nn/seq2seq.h"
#include "vulkan/context.h"

namespace dragoman::nn {

// How the predictions of several models are combined: sum of weight * log p, as in Marian, or log of the sum of weight
// * p.
enum class Combination { log_probabilities, probabilities };

// Models of one vocabulary that predict each token together.
class Ensemble final : public Seq2Seq {
public:
    struct Member {
        std::unique_ptr<const Seq2Seq> model;
        float weight = 1.0f;  // > 0
    };
    // Needs at least one member.
    Ensemble(std::shared_ptr<vulkan::Context> context, std::vector<Member> members, Combination combination);

    const Seq2SeqInfo& info() const override { return info_; }
    std::unique_ptr<EncoderMemory> make_encoder_memory(uint32_t source_tokens) const override;
    std::unique_ptr<State> make_state(uint32_t rows, uint32_t places) const override;
    void encode(Recorder& rec, const EncodeInput& input, EncoderMemory& memory) const override;
    std::vector<ops::Product> measured_products() const override;
    std::vector<ops::AttentionShape> measured_attention() const override;
    // Attention is the first member's.
    void step(Recorder& rec, const StepInput& input, const EncoderMemory& memory, State& state,
              const Tensor& logits) const override;
    std::unique_ptr<const Seq2Seq> widened() const override;
    void grow(Recorder& rec, State& state, uint32_t places) const override;
    void copy_places(Recorder& rec, State& state, uint32_t from, uint32_t to, uint32_t count) const override;

private:
    std::shared_ptr<vulkan::Context> context_;
    std::vector<Member> members_;
    Combination combination_;
    Seq2SeqInfo info_;
};

}  // namespace dragoman::nn
