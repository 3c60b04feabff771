// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "decode/stream.h"
#include "nn/seq2seq.h"

namespace dragoman::test {

// Searches in a stream of its own until everything is finished. Keeps the stream of the last rules.
class BlockingSearch {
public:
    BlockingSearch(std::shared_ptr<vulkan::Context> context, const nn::Seq2Seq& model)
        : context_(std::move(context)), model_(model) {}

    // One output per input, in order. Throws what ends the search, or the first sentence that fails.
    std::vector<decode::SearchOutput> run(std::span<const decode::SearchInput> inputs, const decode::SearchRules& rules,
                                          const decode::StreamLimits& limits = {}) {
        if (!stream_ || stream_->rules() != rules || stream_->limits() != limits)
            stream_ = std::make_unique<decode::Stream>(context_, model_, rules, limits, stats_);
        stream_->set_initial_steps(initial_steps_);
        std::vector<decode::SearchOutput> outputs(inputs.size());
        try {
            for (std::size_t i = 0; i < inputs.size(); ++i) stream_->add(i, inputs[i], {});
            while (!stream_->idle()) {
                decode::StreamEvents events;
                stream_->advance(events);
                if (!events.failed.empty()) throw events.failed.front().error;
                for (auto& [ticket, output] : events.finished) outputs[ticket] = std::move(output);
            }
        } catch (const Error&) {
            stream_.reset();  // steps may still be running in it
            throw;
        }
        return outputs;
    }

    const decode::SearchStats& stats() const { return stats_; }
    void set_initial_steps(uint32_t steps) { initial_steps_ = steps; }

private:
    std::shared_ptr<vulkan::Context> context_;
    const nn::Seq2Seq& model_;
    std::unique_ptr<decode::Stream> stream_;
    decode::SearchStats stats_;
    uint32_t initial_steps_ = 0;
};

}  // namespace dragoman::test
