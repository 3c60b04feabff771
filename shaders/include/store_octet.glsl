// SPDX-License-Identifier: Apache-2.0
// The end of eight f32 outputs at once, two per access: with few inputs, stores take much of the block kernels' time.
// Declare gate_pairs, residual_pairs and y_pairs as uint64_t views first.
#ifndef DRAGOMAN_STORE_OCTET_GLSL
#define DRAGOMAN_STORE_OCTET_GLSL

// Whether it may be used for columns `column` ... `column` + 7 of every row, counted in y.
bool stores_octets(uint column) {
    return ((pc.y_stride | pc.gate_stride | pc.residual_stride | column) & 1) == 0;
}

// `sums` include the bias; then as matmul_store.
void store_octet(uint row, uint column, float sums[8]) {
    const uint gate_at = (row * pc.gate_stride + column) / 2, y_at = (row * pc.y_stride + column) / 2;
    const uint residual_at = (row * pc.residual_stride + column) / 2;
    vec2 gates[4], residuals[4];
    [[unroll]] for (uint i = 0; i < 4; ++i) {
        gates[i] = vec2(1.0);
        residuals[i] = vec2(0.0);
    }
    if ((MATMUL_FLAGS & kMatmulGate) != 0)
        [[unroll]] for (uint i = 0; i < 4; ++i) gates[i] = uintBitsToFloat(unpack32(gate_pairs[gate_at + i]));
    if ((MATMUL_FLAGS & kMatmulResidual) != 0)
        [[unroll]] for (uint i = 0; i < 4; ++i)
            residuals[i] = uintBitsToFloat(unpack32(residual_pairs[residual_at + i]));
    [[unroll]] for (uint i = 0; i < 4; ++i) {
        const vec2 pair = vec2(matmul_end(sums[2 * i], gates[i].x, residuals[i].x),
                               matmul_end(sums[2 * i + 1], gates[i].y, residuals[i].y));
        y_pairs[y_at + i] = pack64(floatBitsToUint(pair));
    }
}

#endif
