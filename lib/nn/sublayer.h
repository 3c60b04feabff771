// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "nn/layers.h"
#include "spec/operation_order.h"

namespace dragoman::nn {

// The operations around a sub-layer f, in letters (OperationOrder). The usual ones: "n" and "a" are x + f(norm(x)),
// "" and "an" are norm(x + f(x)).
struct Surroundings {
    std::string before, after;
    Norm before_norm, after_norm;
    Linear highway;  // layer of 'h'
};
Surroundings load_surroundings(WeightStore& store, const std::string& scope, const spec::StackConfig& stack,
                               uint32_t d_model);
// The surroundings of a whole stack; `before` follows its embedding.
Surroundings load_stack_surroundings(WeightStore& store, const std::string& scope, const spec::StackConfig& stack,
                                     uint32_t d_model);

// Norms between blocks are left pending (Activations), so these results are for products; other readers apply the norm
// first.

// The input of f: the residual stream a.x, or a.normed.
ops::Tensor block_input(ops::Recorder& rec, Activations& a, const Surroundings& around);
// Records the operations before f on another tensor than a.x, which is overwritten.
void record_before(ops::Recorder& rec, Activations& a, const Surroundings& around, const ops::Tensor& x);
// Projects the output y of f (optional `out`), and does the operations after it. y may be any of the scratch tensors,
// and a.x where there is a projection. The result is a.x.
void block_output(ops::Recorder& rec, Activations& a, const Surroundings& around, const Linear& out,
                  const ops::Tensor& y);
// Records the end of a stack whose input was `start`: the operations after it on a.x. The result is a.x or a.normed.
ops::Tensor stack_output(ops::Recorder& rec, Activations& a, const Surroundings& around, const ops::Tensor& start);

// The one of the scratch tensors a.normed and a.wide that is not `taken`, d_model columns.
ops::Tensor other_scratch(const Activations& a, const ops::Tensor& taken);

}  // namespace dragoman::nn
