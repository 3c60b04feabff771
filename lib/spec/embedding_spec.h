// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/activation.h"

namespace dragoman::spec {

// The vectors of a text that are made from an encoder's output.
enum class Pooling : int {
    mean = 1,    // one: the mean over all tokens, including the prompt's
    first = 2,   // one: the first token's ("CLS")
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
    std::vector<DenseLayer> dense{};  // layers behind it, where the caller names no other pooling
    bool normalize = false;           // scales vectors to a length of 1
    bool pooler = false;              // the model has a pooler
    uint32_t max_tokens = 0;          // for a text with the tokens around it; 0: as many as there are positions
    bool operator==(const EmbeddingSpec&) const = default;
};

}  // namespace dragoman::spec
