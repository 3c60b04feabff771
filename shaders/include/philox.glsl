// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10, a random number generator without state: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy
// as 1, 2, 3", SC 2011.
#ifndef DRAGOMAN_PHILOX_GLSL
#define DRAGOMAN_PHILOX_GLSL

uvec4 philox(uvec4 counter, uvec2 key) {
    for (uint round = 0; round < 10; ++round) {
        uint high_x, low_x, high_z, low_z;
        umulExtended(0xD2511F53u, counter.x, high_x, low_x);
        umulExtended(0xCD9E8D57u, counter.z, high_z, low_z);
        counter = uvec4(high_z ^ counter.y ^ key.x, low_z, high_x ^ counter.w ^ key.y, low_x);
        key += uvec2(0x9E3779B9u, 0xBB67AE85u);
    }
    return counter;
}

// Uniform in [0, 1).
float unit_interval(uint word) { return float(word >> 8) * (1.0 / 16777216.0); }

#endif
