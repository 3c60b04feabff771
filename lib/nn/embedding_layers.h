// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "nn/layers.h"
#include "spec/embedding_spec.h"

namespace dragoman::nn {

// The layers behind the pooling of sentence vectors. They are float32, whatever the network's type is.
class EmbeddingLayers {
public:
    // `weights` is not needed afterwards. Throws bad_model, out_of_memory.
    EmbeddingLayers(std::shared_ptr<vulkan::Context> context, const spec::EmbeddingSpec& spec, uint32_t d_model,
                    const spec::WeightMap& weights);

    struct Dense {
        Linear linear;
        Activation activation = Activation::none;
    };
    const std::vector<Dense>& pooler() const { return pooler_; }  // one layer, or none
    const std::vector<Dense>& dense() const { return dense_; }
    uint64_t device_bytes() const { return store_.device_bytes(); }

private:
    WeightStore store_;
    std::vector<Dense> pooler_, dense_;
};

// y = activation(W x + b), f32.
void record_dense(ops::Recorder& rec, const EmbeddingLayers::Dense& dense, const ops::Tensor& x, const ops::Tensor& y,
                  const ops::Extent& rows);

}  // namespace dragoman::nn
