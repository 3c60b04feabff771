// SPDX-License-Identifier: Apache-2.0
// y = x W^T on cooperative matrices of a whole workgroup (VK_NV_cooperative_matrix2): f16 operands, f32 sums. The
// driver brings operands from memory in its own way, with the bounds of the tensors.
#version 460
#pragma variants(T W Y = float16_t float16_t float16_t, float16_t float16_t float)
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
#include "types.glsl"
#include "matmul_end.glsl"
#include "panel.glsl"
#include "shared/matmul.h"
#ifndef Y
#define Y T
#endif
#ifndef Y_IS_F16
#define Y_IS_F16 T_IS_F16
#endif

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint INVOCATIONS = 256;
layout(constant_id = 2) const uint TILE_ROWS = 128;
layout(constant_id = 3) const uint COLUMNS = 64;  // divides a panel
layout(constant_id = 4) const uint PANELS = 2;    // matrices of COLUMNS
layout(constant_id = 5) const uint TILE_K = 64;
layout(constant_id = 6) const uint RECORDS = 0;

layout(push_constant) uniform Push { MatmulPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { float16_t x[]; };
layout(binding = 2) readonly buffer Weights { float16_t w[]; };
layout(binding = 3) readonly buffer Bias { float bias[]; };
layout(binding = 4) readonly buffer Gate { Y gate[]; };
layout(binding = 5) readonly buffer Residual { Y residual[]; };
layout(binding = 6) writeonly buffer Out { Y y[]; };
layout(binding = 7) writeonly buffer Records { uint records[]; };

uint tile_in_records(uint tile) { return pc.record_tile + tile; }
uint column_in_records(uint column) { return column == ~0u ? column : pc.record_tile * kPanel + column; }

#define SUMS coopmat<float, gl_ScopeWorkgroup, TILE_ROWS, COLUMNS, gl_MatrixUseAccumulator>
#define ENDS coopmat<Y, gl_ScopeWorkgroup, TILE_ROWS, COLUMNS, gl_MatrixUseAccumulator>

float activated(const in uint row, const in uint column, const in float sum) { return activate(sum, ACTIVATION); }

#if !Y_IS_F16
#include "tile_record.glsl"

float enabled(const in uint row, const in uint column, const in float end, const in uint first) {
    return first + column < pc.n && is_enabled(end) ? end : kNothing;
}
float place(const in uint row, const in uint column, const in float end, const in float maximum) {
    return end == maximum && maximum > kDisabled ? float(column) : 1e6;
}
float term(const in uint row, const in uint column, const in float end, const in float maximum) {
    return exponential(end, maximum);
}
float larger(const in float a, const in float b) { return max(a, b); }
float smaller(const in float a, const in float b) { return min(a, b); }
float added(const in float a, const in float b) { return a + b; }

float write_record(const in uint row, const in uint column, const in float maximum, const in float place,
                   const in float sum, const in uint first_row, const in uint first) {
    if (column == 0 && first_row + row < count && first < pc.n) {
        const uint tile = tile_in_records(first / kPanel), tile_count = pc.record_tiles;
        const uint at = first_row + row;
        records[record_index(at, RECORD_MAXIMUM, tile, tile_count)] = floatBitsToUint(maximum);
        records[record_index(at, RECORD_SUM, tile, tile_count)] = floatBitsToUint(sum);
        records[record_index(at, RECORD_COLUMN, tile, tile_count)] =
            place < 1e5 ? column_in_records(first + uint(place)) : kNoColumn;
    }
    return maximum;
}
#endif

void main() {
    const uint rows = count;
    const uint first_row = gl_WorkGroupID.x * TILE_ROWS, first_column = gl_WorkGroupID.y * COLUMNS * PANELS;
    if (first_row >= rows) return;

    // Rows begin at multiples of 16 bytes.
    const uint x_stride = pc.x_stride & ~7u;
    tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> x_edge =
        createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);
    x_edge = setTensorLayoutDimensionNV(x_edge, rows, pc.k);
    x_edge = setTensorLayoutStrideNV(x_edge, x_stride, 1);
    tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> w_edge =
        createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);
    w_edge = setTensorLayoutDimensionNV(w_edge, pc.k, kPanel);
    w_edge = setTensorLayoutStrideNV(w_edge, kPanel, 1);
    tensorLayoutNV<2> x_inside = createTensorLayoutNV(2);
    x_inside = setTensorLayoutDimensionNV(x_inside, rows, pc.k);
    x_inside = setTensorLayoutStrideNV(x_inside, x_stride, 1);
    tensorLayoutNV<2> w_inside = createTensorLayoutNV(2);
    w_inside = setTensorLayoutDimensionNV(w_inside, pc.k, kPanel);
    w_inside = setTensorLayoutStrideNV(w_inside, kPanel, 1);

    SUMS sums[PANELS];
    uint panel_at[PANELS];
    [[unroll]] for (uint p = 0; p < PANELS; ++p) {
        sums[p] = SUMS(0.0);
        // Workgroups that reach beyond the last panel multiply that once more.
        panel_at[p] = min((first_column + p * COLUMNS) / kPanel, (pc.n - 1) / kPanel) * kPanel * pc.k;
    }
    const uint in_panel = first_column % kPanel;
    if (first_row + TILE_ROWS <= rows && pc.k % TILE_K == 0) {
        [[dont_unroll]] for (uint k = 0; k < pc.k; k += TILE_K) {
            coopmat<float16_t, gl_ScopeWorkgroup, TILE_ROWS, TILE_K, gl_MatrixUseA> a;
            coopMatLoadTensorNV(a, x, 0, sliceTensorLayoutNV(x_inside, first_row, TILE_ROWS, k, TILE_K));
            [[unroll]] for (uint p = 0; p < PANELS; ++p) {
                coopmat<float16_t, gl_ScopeWorkgroup, TILE_K, COLUMNS, gl_MatrixUseB> b;
                const uint column = (in_panel + p * COLUMNS) % kPanel;
                coopMatLoadTensorNV(b, w, panel_at[p], sliceTensorLayoutNV(w_inside, k, TILE_K, column, COLUMNS));
                sums[p] = coopMatMulAdd(a, b, sums[p]);
            }
        }
    } else {
        [[dont_unroll]] for (uint k = 0; k < pc.k; k += TILE_K) {
            coopmat<float16_t, gl_ScopeWorkgroup, TILE_ROWS, TILE_K, gl_MatrixUseA> a;
            coopMatLoadTensorNV(a, x, 0, sliceTensorLayoutNV(x_edge, first_row, TILE_ROWS, k, TILE_K));
            [[unroll]] for (uint p = 0; p < PANELS; ++p) {
                coopmat<float16_t, gl_ScopeWorkgroup, TILE_K, COLUMNS, gl_MatrixUseB> b;
                const uint column = (in_panel + p * COLUMNS) % kPanel;
                coopMatLoadTensorNV(b, w, panel_at[p], sliceTensorLayoutNV(w_edge, k, TILE_K, column, COLUMNS));
                sums[p] = coopMatMulAdd(a, b, sums[p]);
            }
        }
    }

    tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> out_layout =
        createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);
    out_layout = setTensorLayoutDimensionNV(out_layout, rows, pc.n);
#define OUT_SLICE(stride) \
    sliceTensorLayoutNV(setTensorLayoutStrideNV(out_layout, stride, 1), first_row, TILE_ROWS, first, COLUMNS)
    [[unroll]] for (uint p = 0; p < PANELS; ++p) {
        const uint first = first_column + p * COLUMNS;
        sums[p] *= pc.scale;
        if ((pc.flags & kMatmulBias) != 0) {
            SUMS biases;
            coopMatLoadTensorNV(biases, bias, 0, OUT_SLICE(0));
            sums[p] += biases;
        }
        if (ACTIVATION != kActivationNone) coopMatPerElementNV(sums[p], sums[p], activated);
        if ((pc.flags & kMatmulGate) != 0) {
            ENDS gates;
            coopMatLoadTensorNV(gates, gate, 0, OUT_SLICE(pc.gate_stride));
            sums[p] *= SUMS(gates);
        }
        if ((pc.flags & kMatmulResidual) != 0) {
            ENDS residuals;
            coopMatLoadTensorNV(residuals, residual, 0, OUT_SLICE(pc.residual_stride));
            sums[p] += SUMS(residuals);
        }
        if ((pc.flags & kMatmulNoStore) == 0) coopMatStoreTensorNV(ENDS(sums[p]), y, 0, OUT_SLICE(pc.y_stride));
#if !Y_IS_F16
        if (RECORDS != 0) {
            SUMS maxima, places, totals;
            coopMatPerElementNV(sums[p], sums[p], enabled, first);
            coopMatReduceNV(maxima, sums[p], gl_CooperativeMatrixReduceRowNV, larger);
            coopMatPerElementNV(places, sums[p], place, maxima);
            coopMatReduceNV(places, places, gl_CooperativeMatrixReduceRowNV, smaller);
            coopMatPerElementNV(totals, sums[p], term, maxima);
            coopMatReduceNV(totals, totals, gl_CooperativeMatrixReduceRowNV, added);
            coopMatPerElementNV(maxima, maxima, write_record, places, totals, first_row, first);
        }
#endif
    }
}
