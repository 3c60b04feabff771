// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/activation.h"

namespace dragoman::spec {

// Which vectors of a text an encoder's output gives.
enum class Pooling : int {
    mean = 1,    // one: the mean over all tokens, those of the prompt too
    first = 2,   // one: that of the first token ("CLS")
    pooler = 3,  // one: tanh(W first + b), a layer of the model's own
    tokens = 4,  // one for each token
};

// A layer behind the pooling, y = activation(W x + b).
struct DenseLayer {
    uint32_t outputs = 0;
    Activation activation = Activation::none;
    bool operator==(const DenseLayer&) const = default;
};

// The vectors that a model is made for, where it says so. Tensors: embedding/pooler/{weight,bias} [d, d], [d], and
// embedding/dense_i/{weight,bias} [outputs, inputs], [outputs], counted from 0; a bias may be missing.
struct EmbeddingSpec {
    Pooling pooling = Pooling::mean;
    std::vector<DenseLayer> dense{};  // behind it, where the caller names no other pooling
    bool normalize = false;           // to a length of 1
    bool pooler = false;              // there is one
    uint32_t max_tokens = 0;          // of a text with what stands around it; 0: as many as there are positions
    bool operator==(const EmbeddingSpec&) const = default;
};

}  // namespace dragoman::spec
