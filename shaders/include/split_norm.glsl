// SPDX-License-Identifier: Apache-2.0
// The norm that matmul_split.comp may begin with, as layer_norm.comp computes it. Every lane adds up the inputs that it
// multiplies, and the lanes' sums are added in the order of the products' sums: a row's statistics have the same bits in
// all workgroups.
#ifndef DRAGOMAN_SPLIT_NORM_GLSL
#define DRAGOMAN_SPLIT_NORM_GLSL

#if T_IS_F16
#define NORM_QUAD f16vec4
#else
#define NORM_QUAD vec4
#endif

layout(binding = 8) readonly buffer NormGamma { vec4 norm_gamma[]; };
layout(binding = 9) readonly buffer NormBeta { vec4 norm_beta[]; };
layout(binding = 10) writeonly buffer NormOut { T norm_y[]; };  // not x: other workgroups still read it

const uint kRowSpread = SHUFFLED < TILE_ROWS ? SHUFFLED : TILE_ROWS;  // lanes that each keep one of so many rows' sums
const uint kRowsHeld = TILE_ROWS / kRowSpread;
const uint kFirstRowHeld = 2 * (TILE_ROWS - kRowsHeld);
const uint kRowSums = 2 * TILE_ROWS;  // with those made of two others
const bool kFewGroups = kGroups <= 4;
// Steps of inputs in flight, beside the weights: few enough registers not to spill.
const uint kInputSteps = TILE_ROWS * UNROLL <= 8 ? UNROLL : 8 / TILE_ROWS;

float groups_sum(uint at) {
    float parts[2 * kGroups - 1];
    [[unroll]] for (uint g = 0; g < kGroups; ++g) parts[g] = partial_sums[at + g];
    [[unroll]] for (uint g = 0; g < kGroups - 1; ++g) {
        precise const float sum = parts[2 * g] + parts[2 * g + 1];
        parts[kGroups + g] = sum;
    }
    return parts[2 * kGroups - 2];
}

// From a lane's sums of each row to those of all lanes. A second call takes the other area of shared memory.
void sum_lanes(inout float sums[kRowSums], uint lane, uint column_lane, uint area) {
    [[unroll]] for (uint j = 0; j < TILE_ROWS - kRowsHeld; ++j) {
        const uint bit = TILE_ROWS >> findMSB(TILE_ROWS - 1 - j) + 1;
        const bool odd = (lane & bit) != 0;
        const float given = odd ? sums[2 * j] : sums[2 * j + 1], kept = odd ? sums[2 * j + 1] : sums[2 * j];
        precise const float sum = kept + subgroupShuffleXor(given, bit * kColumnLanes);
        sums[TILE_ROWS + j] = sum;
    }
    [[unroll]] for (uint bit = TILE_ROWS; bit < SHUFFLED; bit *= 2) {
        precise const float sum = sums[kFirstRowHeld] + subgroupShuffleXor(sums[kFirstRowHeld], bit * kColumnLanes);
        sums[kFirstRowHeld] = sum;
    }
    const uint begin = kPartialSums + area * (kGroups + 1) * TILE_ROWS, totals = begin + kGroups * TILE_ROWS;
    if (column_lane == 0 && lane % SHUFFLED < TILE_ROWS)
        [[unroll]] for (uint i = 0; i < kRowsHeld; ++i)
            partial_sums[begin + (i * kRowSpread + lane % kRowSpread) * kGroups + lane / SHUFFLED] =
                sums[kFirstRowHeld + i];
    barrier();
    if (!kFewGroups) {
        const uint row = gl_LocalInvocationIndex;
        if (row < TILE_ROWS) partial_sums[totals + row] = groups_sum(begin + row * kGroups);
        barrier();
    }
    [[unroll]] for (uint r = 0; r < TILE_ROWS; ++r)
        sums[r] = kFewGroups ? groups_sum(begin + r * kGroups) : partial_sums[totals + r];
}

// A lane's sums of each row: of the inputs, or of their squares less `means`.
void add_inputs(inout float sums[kRowSums], uint x_at[TILE_ROWS], uint lane, float means[TILE_ROWS], bool squares) {
    const uint sweep = kLanes * kStep;
    vec4 quads[TILE_ROWS];
    [[unroll]] for (uint r = 0; r < TILE_ROWS; ++r) quads[r] = vec4(0.0);
    for (uint k = lane * kStep; k + kStep <= pc.k; k += kInputSteps * sweep) {
        vec4 xs[kInputSteps][kXs];
        [[unroll]] for (uint u = 0; u < kInputSteps; ++u)  // past the end the first again, which counts for nothing
            load_step(xs[u], x_at, k + u * sweep + kStep <= pc.k ? k + u * sweep : k);
        [[unroll]] for (uint u = 0; u < kInputSteps; ++u) {
            const bool inside = k + u * sweep + kStep <= pc.k;
            [[unroll]] for (uint i = 0; i < kXs; ++i) {
                const uint r = i % TILE_ROWS;
                precise const vec4 centred = xs[u][i] - means[r];
                const vec4 value = inside ? centred : vec4(0.0);
                quads[r] = fma(value, squares ? value : vec4(1.0), quads[r]);
            }
        }
    }
#if !W_HAS_BLOCKS
    const uint whole = pc.k / kStep * kStep;
    if (lane == whole / kStep % kLanes) {
        for (uint k = whole; k < pc.k; ++k) {
            [[unroll]] for (uint r = 0; r < TILE_ROWS; ++r) {
                precise const float centred = x_element(x_at[r] + k) - means[r];
                quads[r].x = fma(centred, squares ? centred : 1.0, quads[r].x);
            }
        }
    }
#endif
    [[unroll]] for (uint r = 0; r < TILE_ROWS; ++r) {
        precise const float sum = ((quads[r].x + quads[r].y) + quads[r].z) + quads[r].w;
        sums[r] = sum;
    }
}

// Mean (0 in RMSNorm) and 1 / sigma of each row. Every invocation of the workgroup calls it.
void norm_statistics(uint x_at[TILE_ROWS], uint lane, uint column_lane, out float means[TILE_ROWS],
                     out float inverses[TILE_ROWS]) {
    [[unroll]] for (uint r = 0; r < TILE_ROWS; ++r) means[r] = 0.0;
    // One copy of the code: what is run once only waits for its instructions.
    [[dont_unroll]] for (uint pass = NORM == kNormCentred ? 0 : 1; pass < 2; ++pass) {
        float sums[kRowSums];
        add_inputs(sums, x_at, lane, means, pass == 1);
        sum_lanes(sums, lane, column_lane, pass);
        [[unroll]] for (uint r = 0; r < TILE_ROWS; ++r) {
            precise const float average = sums[r] / float(pc.k);
            if (pass == 0) means[r] = average;
            // Fused in one tile and not in another, the division would give a row other bits there (matmul_io.glsl).
            precise const float variance = fma(average, pc.one, pc.epsilon);
            inverses[r] = 1.0 / sqrt(variance);
        }
    }
}

// The values below are rounded to the type of x, as if the normalised row had been read from memory. Compilers may
// leave out the conversion to float16 and back.

void normalise_step(inout vec4 xs[kXs], float means[TILE_ROWS], float inverses[TILE_ROWS], uint k) {
    [[unroll]] for (uint q = 0; q < kStep / 4; ++q) {
        const vec4 gamma = norm_gamma[k / 4 + q], beta = NORM == kNormCentred ? norm_beta[k / 4 + q] : vec4(0.0);
        [[unroll]] for (uint r = 0; r < TILE_ROWS; ++r) {
            const uint i = q * TILE_ROWS + r;
            precise const vec4 scaled = (xs[i] - means[r]) * inverses[r];
            xs[i] = vec4(NORM_QUAD(fma(scaled, gamma, beta)));
        }
    }
}

float normalised(float value, float mean, float inverse, uint k) {
    precise const float scaled = (value - mean) * inverse;
    return float(T(fma(scaled, norm_gamma[k / 4][k % 4], NORM == kNormCentred ? norm_beta[k / 4][k % 4] : 0.0)));
}

// The workgroups share out the inputs whose normalised values they store.
void store_normalised(uint first_row, uint rows, float means[TILE_ROWS], float inverses[TILE_ROWS]) {
    const uint share = (pc.k + gl_NumWorkGroups.y - 1) / gl_NumWorkGroups.y;
    for (uint i = gl_LocalInvocationIndex; i < share * TILE_ROWS; i += INVOCATIONS) {
        const uint r = i / share, row = first_row + r, k = gl_WorkGroupID.y * share + i % share;
        if (k >= pc.k || row >= rows) continue;
        float mean = means[0], inverse = inverses[0];
        [[unroll]] for (uint j = 1; j < TILE_ROWS; ++j) {
            mean = r == j ? means[j] : mean;
            inverse = r == j ? inverses[j] : inverse;
        }
        norm_y[row * pc.norm_y_stride + k] = T(normalised(x_element(row * pc.x_stride + k), mean, inverse, k));
    }
}

#endif
