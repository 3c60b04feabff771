// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

#include "ops/matmul.h"

namespace dragoman::ops {

inline constexpr uint32_t kMaxHeadDim = 256;  // limited by shared memory and registers

// Computes softmax(scale * q k^T + bias) v per head, by online softmax in f32. Heads are contiguous slices of head_dim
// (1 to kMaxHeadDim). All tensors of a call have one type, f32 or f16. A row's result does not depend on its
// neighbours.
struct Heads {
    uint32_t count = 0;
    uint32_t head_dim = 0;
    float scale = 1.0f;  // usually 1 / sqrt(head_dim)
    // Optional relative bias, f32 [heads, 2 * bias_reach + 1]: entry clamp(j - i, -reach, reach) + reach for
    // query position i and key position j (T5's buckets unrolled by distance).
    BufferView relative_bias{};
    uint32_t bias_reach = 0;
};

// Encoder self-attention over ragged sentences. Row r of qkv belongs to sentence row_sentence[r], whose rows are
// sentence_begin[s] .. sentence_begin[s + 1] - 1.
struct EncoderAttentionArgs {
    Tensor qkv;                 // [rows, 3 * heads * head_dim]: q, k, v
    BufferView row_sentence;    // uint per row
    BufferView sentence_begin;  // uint per sentence + 1
    Tensor y;                   // [rows, heads * head_dim]
    Heads heads;
    Extent rows;
};
void encoder_attention(Recorder& rec, const EncoderAttentionArgs& args);

// One step of decoder self-attention. Live row i is cache row c = live_rows[i]; cache row c belongs to slot
// c / beam. Its position is t = position[c] < max_steps. The row's own key and value (from qkv) are appended at
// cache[c][t]; keys for j < t are read at cache row slot * beam + ancestry[t & 1][c][j], with beam 1 at c itself.
struct StepSelfAttentionArgs {
    Tensor qkv;              // [live rows, 3 * heads * head_dim]
    Tensor keys, values;     // caches: [cache rows * max_steps, heads * head_dim]; row c * max_steps + t
    BufferView live_rows;    // uint per live row
    BufferView position;     // uint per cache row
    BufferView ancestry;     // uint [2][cache rows][max_steps]; ignored when beam is 1
    uint32_t cache_rows = 0;
    uint32_t max_steps = 0;
    uint32_t beam = 1;
    Tensor y;                // [live rows, heads * head_dim]
    // Optional, uint [slots][2]: where a slot's part of the caches begins and how many steps each of its rows has
    // there; t < these steps. Cache row c of slot s at step t is then row begin + (c - s * beam) * steps + t.
    BufferView ranges{};
    Heads heads;
    Extent rows;
};
void step_self_attention(Recorder& rec, const StepSelfAttentionArgs& args);

// The product that gives the queries: q = norm(x) w^T + bias.
struct QueryProduct {
    Tensor x;           // [live rows, k]
    Weight w;           // [heads * head_dim, k]
    BufferView bias{};  // [heads * head_dim] f32, optional
    InputNorm norm{};   // the norm of x
    explicit operator bool() const { return bool(w); }
};

// One step of cross-attention. Keys and values of slot s are rows source_begin[s] .. + source_length[s] of
// memory. A slot with no source gives zeros. Live rows of one slot that are neighbours, as the search has them, share
// the loads of its keys and values.
struct StepCrossAttentionArgs {
    Tensor q;                  // [live rows, heads * head_dim]
    Tensor memory;             // [source rows, 2 * heads * head_dim]: k, then v
    BufferView live_rows;      // uint per live row; slot = live_rows[i] / beam
    BufferView source_begin;   // uint per slot
    BufferView source_length;  // uint per slot
    uint32_t beam = 1;
    Tensor y;                  // [live rows, heads * head_dim]
    // Optional: the mean of the probabilities of `weights_heads` heads from `weights_begin` on is written as f32 to
    // weights[(c * max_steps + position[c]) * weights_stride + j] for cache row c and source position j.
    BufferView weights{};
    BufferView position;  // uint per cache row; needed with weights
    uint32_t weights_begin = 0;
    uint32_t weights_heads = 0;  // at least 1 with weights
    uint32_t weights_stride = 0;
    uint32_t max_steps = 0;
    Heads heads;  // must have no relative_bias
    Extent rows;
    // Optional: the product that computes q first. For few rows on GPUs the attention does it itself and leaves q
    // unchanged: each workgroup has one head, and a dispatch with its barrier costs more than reading the weights once
    // more.
    QueryProduct query{};
};
void step_cross_attention(Recorder& rec, const StepCrossAttentionArgs& args);

// The kind of attention without weights, on which tiles depend.
enum class AttentionUse : uint8_t { encoder, step_self, step_cross };
struct AttentionShape {
    AttentionUse use;
    DType type;
    uint32_t heads, head_dim;
    uint32_t beam = 1;
    // step_cross: more than kFewAttentionRows rows. Rows that share keys then share loads with profit; a few rows keep
    // too little of a GPU busy that way.
    bool many_rows = false;
};
inline constexpr uint32_t kFewAttentionRows = 256;

// The kernels to choose from, for tests and measurements.
enum class AttentionKernel : uint8_t {
    shared_memory,  // runs everywhere; for GPUs
    subgroup,  // a workgroup of one subgroup without barriers, for CPU devices
    // a subgroup that reads texel buffers: f32, heads and rows of whole quads, and views that is_texels() accepts
    texel,
    coopmat,  // cooperative matrices, for the encoder in f16 with heads of whole matrices
};
// A kernel with one of its tiles, 0 being the usual one: shared_memory has kAttentionTiles, coopmat two.
inline constexpr uint32_t kAttentionTiles = 7;
struct AttentionVariant {
    AttentionKernel kernel;
    uint32_t tile = 0;
    AttentionVariant(AttentionKernel k, uint32_t number = 0) : kernel(k), tile(number) {}
};
AttentionKernel pick_attention(const vulkan::Caps& caps);  // a kernel that takes any tensors
// The best kernel for these tensors, which are all that it reads or writes by rows.
AttentionKernel pick_attention(const vulkan::Caps& caps, uint32_t head_dim, std::initializer_list<Tensor> tensors);
// Whether texel can run with these tensors; the device must be one that subgroup runs on.
bool fits_texel(const vulkan::Caps& caps, uint32_t head_dim, std::initializer_list<Tensor> tensors);
AttentionKernel pick_encoder_attention(const vulkan::Context& context, const EncoderAttentionArgs& args);
// Whether coopmat can run with these arguments.
bool fits_coopmat(const vulkan::Context& context, const EncoderAttentionArgs& args);
// The substitutes for `picked` on a GPU, itself first, and whether one gives right results here and does not spill.
std::vector<AttentionVariant> attention_variants(AttentionKernel picked);
bool is_usable(Recorder& rec, const EncoderAttentionArgs& args, const AttentionVariant& choice);
bool is_usable(Recorder& rec, const StepSelfAttentionArgs& args, const AttentionVariant& choice);
bool is_usable(Recorder& rec, const StepCrossAttentionArgs& args, const AttentionVariant& choice);
void encoder_attention(Recorder& rec, const EncoderAttentionArgs& args, AttentionVariant choice);
void step_self_attention(Recorder& rec, const StepSelfAttentionArgs& args, AttentionVariant choice);
void step_cross_attention(Recorder& rec, const StepCrossAttentionArgs& args, AttentionVariant choice);

// Whether the attention can compute its queries itself, its tiles, the largest first, and the one to take, if any.
inline constexpr uint32_t kQueryTiles = 4;
bool fits_query(const vulkan::Context& context, const StepCrossAttentionArgs& args);
std::optional<uint32_t> pick_query_tile(Recorder& rec, const StepCrossAttentionArgs& args);
void step_cross_attention_query(Recorder& rec, const StepCrossAttentionArgs& args, uint32_t tile);

}  // namespace dragoman::ops
