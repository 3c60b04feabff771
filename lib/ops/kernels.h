// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shared/attention.h"
#include "shared/elementwise.h"
#include "shared/embed.h"
#include "shared/ensemble.h"
#include "shared/group_table.h"
#include "shared/matmul.h"
#include "shared/norm.h"
#include "shared/pool.h"
#include "shared/recurrence.h"
#include "shared/sample.h"
#include "shared/softmax.h"
#include "shared/topk.h"
#include "spv.h"  // generated: dragoman::spv::<shader>
#include "vulkan/kernel.h"

// The table that joins host and shader. One section per struct header in shaders/shared/.
namespace dragoman::kernels {

using vulkan::Kernel;
using vulkan::NoTile;

// Tiles: field n is constant_id n of the shader.

// shared/matmul.h
struct MatmulTiledTile {
    uint32_t activation, invocations, tile_rows, tile_k, rows, x_quads, records;
};
struct MatmulCoopmatTile {
    uint32_t activation, invocations, m, n, k, row_tiles, columns, subgroup_rows, subgroup_columns, slices, tile_k,
        records, norm;
};
struct MatmulCoopmat2Tile {
    uint32_t activation, invocations, tile_rows, columns, panels, tile_k, records;
};
struct MatmulSplitTile {
    uint32_t activation, invocations, rows, columns, unroll, shuffled, pass_rows, x_quads, records, norm;
};
//                               push                tile             buffers
inline constexpr Kernel<shared::MatmulPush, MatmulTiledTile, 11> matmul_tiled{spv::matmul_tiled};
inline constexpr Kernel<shared::MatmulPush, MatmulCoopmatTile, 10> matmul_coopmat{spv::matmul_coopmat};
inline constexpr Kernel<shared::MatmulPush, MatmulCoopmat2Tile, 8> matmul_coopmat2{spv::matmul_coopmat2};
inline constexpr Kernel<shared::MatmulPush, MatmulSplitTile, 11> matmul_split{spv::matmul_split};
// Tile for CPU devices.
struct MatmulTexelTile {
    uint32_t activation, lanes, rows, flags;
};
inline constexpr Kernel<shared::MatmulPush, MatmulTexelTile, 9> matmul_texel{spv::matmul_texel};
inline constexpr Kernel<shared::MatmulPush, MatmulTexelTile, 12> matmul_int8_texel{spv::matmul_int8_texel};
struct RowMaximaTile {
    uint32_t lanes;
};
inline constexpr Kernel<shared::RowMaximaPush, RowMaximaTile, 4> row_maxima{spv::row_maxima};

// shared/norm.h
struct LayerNormTile {
    uint32_t invocations, lanes, count, quads, in_step;
};
inline constexpr Kernel<shared::LayerNormPush, LayerNormTile, 6> layer_norm{spv::layer_norm};

// shared/embed.h
struct EmbedTile {
    uint32_t invocations;
};
inline constexpr Kernel<shared::EmbedPush, EmbedTile, 8> embed{spv::embed};

// shared/ensemble.h
inline constexpr Kernel<shared::AddLogProbsPush, NoTile, 4> add_log_probs{spv::add_log_probs};

// shared/elementwise.h
struct ActivateTile {
    uint32_t invocations, activation;
};
struct BlendTile {
    uint32_t invocations;
};
struct GatherRowsTile {
    uint32_t invocations;
};
inline constexpr Kernel<shared::ActivatePush, ActivateTile, 4> activate{spv::activate};
inline constexpr Kernel<shared::BlendPush, BlendTile, 5> blend{spv::blend};
inline constexpr Kernel<shared::GatherRowsPush, GatherRowsTile, 4> gather_rows{spv::gather_rows};

inline constexpr Kernel<shared::GatherOutputsPush, NoTile, 4> gather_outputs{spv::gather_outputs};
struct SpreadColumnsTile {
    uint32_t lanes;
};
inline constexpr Kernel<shared::SpreadColumnsPush, SpreadColumnsTile, 7> spread_columns{spv::spread_columns};

// shared/group_table.h
inline constexpr Kernel<shared::GroupArgumentsPush, NoTile, 3> group_arguments{spv::group_arguments};

// shared/attention.h
struct AttentionTile {
    uint32_t lanes, head_dim, head_lanes, loads, queries;
};
struct QueryAttentionTile {
    uint32_t lanes, head_dim, head_lanes, loads, queries, unroll, norm;
};
struct EncoderAttentionCoopmatTile {
    uint32_t lanes, head_dim, m, n, k, keys;
};
struct AttentionLanesTile {
    uint32_t lanes, head_dim, queries;
};
inline constexpr Kernel<shared::EncoderAttentionPush, AttentionTile, 6> encoder_attention{spv::encoder_attention};
inline constexpr Kernel<shared::EncoderAttentionPush, EncoderAttentionCoopmatTile, 6> encoder_attention_coopmat{
    spv::encoder_attention_coopmat};
inline constexpr Kernel<shared::StepSelfAttentionPush, AttentionTile, 10> step_self_attention{spv::step_self_attention};
inline constexpr Kernel<shared::StepCrossAttentionPush, AttentionTile, 9> step_cross_attention{
    spv::step_cross_attention};
inline constexpr Kernel<shared::StepCrossAttentionPush, QueryAttentionTile, 11> step_cross_attention_query{
    spv::step_cross_attention_query};
inline constexpr Kernel<shared::EncoderAttentionPush, AttentionLanesTile, 6> encoder_attention_subgroup{
    spv::encoder_attention_subgroup};
inline constexpr Kernel<shared::StepSelfAttentionPush, AttentionLanesTile, 10> step_self_attention_subgroup{
    spv::step_self_attention_subgroup};
inline constexpr Kernel<shared::StepCrossAttentionPush, AttentionLanesTile, 9> step_cross_attention_subgroup{
    spv::step_cross_attention_subgroup};
inline constexpr Kernel<shared::EncoderAttentionPush, AttentionLanesTile, 6> encoder_attention_texel{
    spv::encoder_attention_texel};
inline constexpr Kernel<shared::StepSelfAttentionPush, AttentionLanesTile, 12> step_self_attention_texel{
    spv::step_self_attention_texel};
inline constexpr Kernel<shared::StepCrossAttentionPush, AttentionLanesTile, 9> step_cross_attention_texel{
    spv::step_cross_attention_texel};
struct AdditiveAttentionTile {
    uint32_t lanes, team;
};
inline constexpr Kernel<shared::AdditiveAttentionPush, AdditiveAttentionTile, 11> additive_attention{
    spv::additive_attention};

// shared/pool.h
struct PoolTile {
    uint32_t invocations;
};
inline constexpr Kernel<shared::PoolPush, PoolTile, 4> pool{spv::pool};

// shared/recurrence.h
struct RecurrenceTile {
    uint32_t invocations;
};
inline constexpr Kernel<shared::RecurrencePush, RecurrenceTile, 8> ssru_step{spv::ssru_step};
inline constexpr Kernel<shared::RecurrencePush, RecurrenceTile, 8> gru_step{spv::gru_step};
inline constexpr Kernel<shared::RecurrencePush, RecurrenceTile, 7> average_step{spv::average_step};
inline constexpr Kernel<shared::RecurrencePush, RecurrenceTile, 6> load_state{spv::load_state};
inline constexpr Kernel<shared::RecurrencePush, RecurrenceTile, 9> load_cell_state{spv::load_cell_state};
inline constexpr Kernel<shared::RecurrencePush, RecurrenceTile, 6> keep_cell{spv::keep_cell};
struct GatedCellTile {
    uint32_t lanes, gates;
};
inline constexpr Kernel<shared::GatedCellPush, GatedCellTile, 10> gated_cell{spv::gated_cell};

// shared/sample.h
struct SampleTile {
    uint32_t lanes;
};
inline constexpr Kernel<shared::SamplePush, SampleTile, 8> sample{spv::sample};

// shared/softmax.h
struct SoftmaxTile {
    uint32_t lanes;
};
inline constexpr Kernel<shared::SoftmaxPush, SoftmaxTile, 3> softmax{spv::softmax};

// shared/topk.h
struct TopkPartialTile {
    uint32_t lanes, quads;
};
struct TopkMergeTile {
    uint32_t lanes, list, in_step;
};
inline constexpr Kernel<shared::TopkPush, TopkPartialTile, 3> topk_partial{spv::topk_partial};
inline constexpr Kernel<shared::TopkPush, TopkMergeTile, 6> topk_merge{spv::topk_merge};

}  // namespace dragoman::kernels
