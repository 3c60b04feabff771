// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "nn/script.h"
#include "nn/seq2seq.h"
#include "support/op_test.h"

namespace dragoman::test {

using Sources = std::vector<std::vector<uint32_t>>;

// A batch on the device: encoded at once, then stepped with rows, tokens and ancestry of the caller's choice by one
// recorded step, replayed. What dead rows would read is poison.
class DeviceRun {
public:
    struct Result {
        std::vector<std::vector<float>> logits;     // per live row
        std::vector<std::vector<float>> attention;  // per live row: [source tokens]
    };

    DeviceRun(Context& context, const nn::Seq2Seq& model, const Sources& sources, uint32_t beam, uint32_t max_steps,
              std::vector<uint32_t> allowed = {},   // logits of these tokens alone, in their order
              uint64_t operations_per_list = 1);    // of the encoder: as many cuts as there may be
    Result step(const ScriptStep& rows);
    void grow(uint32_t max_steps);
    void keep_attention_of(spec::AttentionChoice choice);  // in steps from now on
    const nn::EncoderMemory& memory() const { return *memory_; }
    uint32_t dispatches() const { return list_->dispatches(); }  // of a step
    uint32_t encoder_lists() const { return encoder_lists_; }

private:
    void encode(uint64_t operations_per_list);
    void select();
    void allocate();
    void record();
    void send(const ScriptStep& rows);

    Context& context_;
    const nn::Seq2Seq& model_;
    const Sources& sources_;
    uint32_t beam_, rows_, max_steps_, stride_ = 1, cache_begin_ = 0, encoder_lists_ = 0;
    std::unique_ptr<nn::EncoderMemory> memory_;
    std::unique_ptr<nn::State> state_;
    std::vector<uint32_t> allowed_;
    spec::AttentionChoice attention_of_{};
    std::unique_ptr<nn::OutputSubset> outputs_;
    std::shared_ptr<Buffer> source_begin_, source_length_, tokens_, position_, live_rows_, ancestry_, count_, ranges_;
    DeviceTensor logits_, attention_;
    std::unique_ptr<ops::GroupTable> groups_;
    std::unique_ptr<vulkan::CommandList> list_;
};

}  // namespace dragoman::test
