// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "nn/weight_store.h"
#include "ops/attention.h"
#include "ops/matmul_int8.h"
#include "ops/norm.h"
#include "spec/transformer_config.h"

namespace dragoman::nn {

struct Activations;
class Cuts;

// x W^T + b.
struct Linear {
    std::vector<MatrixPart> parts;  // parts of W
    ops::BufferView bias{};         // optional
    uint32_t outputs() const { return parts.empty() ? 0 : parts.back().begin + parts.back().weight.n; }
    explicit operator bool() const { return !parts.empty(); }
};
Linear load_linear(WeightStore& store, const std::string& scope, uint32_t n, uint32_t k);
// Several maps of n outputs each as one map, their outputs one after the other; a missing bias becomes zeros.
Linear load_joined_linear(WeightStore& store, const std::vector<std::string>& scopes, uint32_t n, uint32_t k);
// y = x W^T + b; y is the first columns of scratch, as wide as the linear's outputs.
ops::Tensor record_linear(ops::Recorder& rec, const Linear& linear, const ops::Tensor& x, const ops::Tensor& scratch,
                          Activations& a);
// A product with everything that ops::matmul fuses; `args` leaves out w, bias, norm and rows. A pending norm becomes
// part of the product if the product reads its result; otherwise it comes first.
void record_product(ops::Recorder& rec, const Linear& linear, ops::MatmulArgs args, Activations& a);

// The arguments for ops::step_cross_attention, which does the product itself or has it done; a pending norm is then
// part of it, too. Empty where only record_product() can do it.
ops::QueryProduct take_query_product(const Linear& linear, const ops::Tensor& x, const ops::Tensor& y, Activations& a);

struct Norm {
    ops::BufferView gamma;
    ops::BufferView beta;  // empty: RMSNorm
    float epsilon = 1e-5f;
};
Norm load_norm(WeightStore& store, const std::string& scope, uint32_t d, bool rms, float epsilon);
// residual: optional, added to x before the norm; x and residual may be y.
void record_norm(ops::Recorder& rec, const Norm& norm, const ops::Tensor& x, const ops::Tensor& y,
                 const ops::Extent& rows, const ops::Tensor& residual = {});

// y = norm(x), still to be recorded. y may be x.
struct PendingNorm {
    Norm norm;
    ops::Tensor x, y;
};

// Scratch rows that every block works in: `x` is the residual stream, the rest is overwritten by each block.
struct Activations {
    ops::Tensor x;        // [rows, d_model]
    ops::Tensor normed;   // [rows, d_model]
    ops::Tensor wide;     // [rows, the widest output of a block, at least d_model]
    ops::Tensor second;   // as `wide`, only for blocks that need two
    ops::Tensor gate;     // [rows, ffn], only for gated feed-forward
    ops::Tensor context;  // [rows, heads head_dim]
    ops::Tensor start;    // [rows, d_model]: input of the stack, only where its end adds it
    // For dynamic scales of int8 inputs: the rows of one sentence, where they share a scale, and room for the maxima.
    ops::RowGroups sentences{};
    ops::BufferView maxima{};
    ops::Extent rows;
    // A norm left to the product that reads its result (record_product). Anything else that reads or writes one of its
    // tensors calls apply_pending_norm() first.
    std::optional<PendingNorm> pending{};
    Cuts* cuts = nullptr;  // optional: decides before every product whether the recorder is cut
};

// Records the pending norm, if there is one.
void apply_pending_norm(ops::Recorder& rec, Activations& a);

// The first `cols` columns of scratch as a tensor.
ops::Tensor narrowed(const ops::Tensor& scratch, uint32_t cols);

}  // namespace dragoman::nn
