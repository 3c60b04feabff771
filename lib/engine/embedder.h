// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/model.h"
#include "nn/embedding_layers.h"
#include "spec/embedding_spec.h"

namespace dragoman::engine {

// Vectors of a model's encoder. Batches run on the caller's thread, one after the other, between whatever else is on
// the device. Immutable; safe from any thread.
class Embedder {
public:
    // `weights` is not needed afterwards. Throws bad_model, out_of_memory.
    Embedder(std::shared_ptr<const Model> model, const spec::EmbeddingSpec& spec, const spec::WeightMap& weights);

    // The kind of vectors; `own`: by the model's own pooling, with the layers behind it.
    struct Wanted {
        spec::Pooling pooling = spec::Pooling::mean;
        bool own = false;
    };
    // Throws unsupported where the network has no such vectors.
    Wanted wanted(std::optional<spec::Pooling> pooling) const;
    uint32_t width(const Wanted& wanted) const;
    uint64_t device_bytes() const { return layers_.device_bytes(); }
    const Model& model() const { return *model_; }

    // Called for each input, in any order, with its vectors one after the other. An exception from it ends the run.
    using Sink = std::function<void(std::size_t input, std::span<const float> values)>;
    // Inputs are token ids, each at most as many as the model has positions. An input without tokens gets a vector of
    // zeros, or no vector with Pooling::tokens. Throws out_of_memory, device_lost.
    void run(std::span<const std::vector<uint32_t>> inputs, const Wanted& wanted, const Sink& sink) const;

private:
    struct Batch;
    std::vector<std::size_t> empty_and_rest(std::span<const std::vector<uint32_t>> inputs, const Wanted& wanted,
                                            const Sink& sink) const;
    std::unique_ptr<Batch> make_batch(uint32_t tokens, uint32_t longest, const Wanted& wanted) const;
    void run_batch(Batch& batch, std::span<const std::vector<uint32_t>> inputs, std::span<const std::size_t> which,
                   const Wanted& wanted, const Sink& sink) const;

    std::shared_ptr<const Model> model_;
    spec::EmbeddingSpec spec_;
    nn::EmbeddingLayers layers_;
};

}  // namespace dragoman::engine
