// SPDX-License-Identifier: Apache-2.0
// Draws a token of each row in the place of its best one (topk with k = 1): from the softmax of x / temperature over
// the values that top_k, top_p and min_p leave. Each of these leaves the values from a threshold up, equal ones
// together; top_p counts what top_k left. One row per workgroup.
#version 460
#include "accurate_log.glsl"
#include "shared/sample.h"
#include "tile_record.glsl"

// Philox4x32-10, a random number generator without state: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy
// as 1, 2, 3", SC 2011.
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

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;

layout(push_constant) uniform Push { SamplePush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 2) coherent buffer Records { uint records[]; };  // tiles' sums become those of what may be drawn
layout(binding = 3) readonly buffer Inputs { SampleInput inputs[]; };
layout(binding = 4) readonly buffer LiveRows { uint live_rows[]; };
layout(binding = 5) readonly buffer Positions { uint positions[]; };
layout(binding = 6) buffer Values { float values[]; };
layout(binding = 7) buffer Columns { uint columns[]; };

const uint kDigitBits = 4, kDigits = 1 << kDigitBits;
const uint kBlockTiles = 64;
const float kLeastTemperature = 1e-6;
const float kLeastMass = 1e-30;  // a share of nothing leaves the best value

shared float bins[kDigits * LANES];  // each lane its own
shared float digit_weight[kDigits];
shared float parts[LANES];

uint row, least;  // least: ordered() of the smallest value that may be drawn
float best, temperature;

// Unsigned integers in the order of the values.
uint ordered(float value) {
    const uint bits = value == 0.0 ? 0u : floatBitsToUint(value);
    return bits ^ ((bits >> 31) != 0 ? 0xffffffffu : 0x80000000u);
}

float tile_maximum(uint tile) { return uintBitsToFloat(records[record_index(row, RECORD_MAXIMUM, tile, pc.tiles)]); }
float tile_sum(uint tile) { return uintBitsToFloat(records[record_index(row, RECORD_SUM, tile, pc.tiles)]); }

float mass(float value) { return is_enabled(value) ? exp((value - best) / temperature) : 0.0; }

float column_mass(uint column) {
    const float value = x[row * pc.stride + column];
    return ordered(value) >= least ? mass(value) : 0.0;
}

// Adds up what the lane's tiles have from `least` on whose bits above `shift` and the next digit are those of `found`.
void fill_bins(uint found, uint shift, bool by_mass) {
    const uint lane = gl_LocalInvocationIndex;
    for (uint digit = 0; digit < kDigits; ++digit) bins[digit * LANES + lane] = 0.0;
    for (uint tile = lane; tile < pc.tiles; tile += LANES) {
        if (ordered(tile_maximum(tile)) < max(found, least)) continue;
        const uint end = min((tile + 1) * TOPK_TILE, pc.cols);
        for (uint column = tile * TOPK_TILE; column < end; ++column) {
            const float value = x[row * pc.stride + column];
            const uint bits = ordered(value);
            if (!is_enabled(value) || bits < least) continue;
            if (shift + kDigitBits < 32 && (bits ^ found) >> (shift + kDigitBits) != 0) continue;
            bins[(bits >> shift) % kDigits * LANES + lane] += by_mass ? mass(value) : 1.0;
        }
    }
}

// The largest value from which on the values are `wanted`, or have that share of the mass. Found digit by digit.
uint threshold(float wanted, bool by_mass) {
    const uint lane = gl_LocalInvocationIndex;
    uint found = 0;
    float above = 0.0;
    for (uint shift = 32; shift > 0;) {
        shift -= kDigitBits;
        fill_bins(found, shift, by_mass);
        barrier();
        for (uint digit = lane; digit < kDigits; digit += LANES) {
            float sum = 0.0;
            for (uint i = 0; i < LANES; ++i) sum += bins[digit * LANES + i];
            digit_weight[digit] = sum;
        }
        barrier();
        if (by_mass && shift + kDigitBits == 32) {
            float total = 0.0;
            for (uint digit = 0; digit < kDigits; ++digit) total += digit_weight[digit];
            wanted = max(wanted * total, kLeastMass);
        }
        uint chosen = 0;
        float passed = above;
        for (uint digit = kDigits; digit-- > 0 && passed < wanted;) {
            if (digit_weight[digit] == 0.0) continue;
            chosen = digit;
            above = passed;
            passed += digit_weight[digit];
        }
        found |= chosen << shift;
        barrier();
    }
    return found;
}

void weigh_tiles(bool as_recorded) {
    for (uint tile = gl_LocalInvocationIndex; tile < pc.tiles; tile += LANES) {
        const float maximum = tile_maximum(tile);
        float sum = 0.0;
        if (as_recorded) {
            sum = tile_sum(tile) * mass(maximum);
        } else if (ordered(maximum) >= least) {
            const uint end = min((tile + 1) * TOPK_TILE, pc.cols);
            for (uint column = tile * TOPK_TILE; column < end; ++column) sum += column_mass(column);
        }
        records[record_index(row, RECORD_SUM, tile, pc.tiles)] = floatBitsToUint(sum);
    }
    memoryBarrierBuffer();
    barrier();
}

const uint kBlocks = 0, kTiles = 1, kColumns = 2;

float mass_of(uint kind, uint at) {
    if (kind == kColumns) return column_mass(at);
    if (kind == kTiles) return tile_sum(at);
    float sum = 0.0;
    const uint end = min((at + 1) * kBlockTiles, pc.tiles);
    for (uint tile = at * kBlockTiles; tile < end; ++tile) sum += tile_sum(tile);
    return sum;
}

void weigh_parts(uint kind, uint first, uint end) {
    const uint at = first + gl_LocalInvocationIndex;
    barrier();  // others may read
    parts[gl_LocalInvocationIndex] = at < end ? mass_of(kind, at) : 0.0;
    barrier();
}

// One of `first` .. `end` - 1 by their masses. The order of the sums does not depend on the number of lanes.
uint draw(uint kind, uint first, uint end, float random) {
    float total = 0.0;
    for (uint begin = first; begin < end; begin += LANES) {
        weigh_parts(kind, begin, end);
        for (uint i = 0; i < LANES; ++i) total += parts[i];
    }
    uint drawn = first;
    float passed = 0.0;
    for (uint begin = first; begin < end; begin += LANES) {
        weigh_parts(kind, begin, end);
        for (uint i = 0; i < LANES; ++i) {
            if (parts[i] > 0.0 && passed <= random * total) drawn = begin + i;
            passed += parts[i];
        }
    }
    return drawn;
}

void main() {
    row = gl_WorkGroupID.x;
    if (row >= count) return;
    const uint place = live_rows[row];
    const SampleInput wanted = inputs[place];
    if (wanted.temperature == 0.0 || columns[row] == kNoColumn) return;
    best = values[row];
    temperature = max(wanted.temperature, kLeastTemperature);

    least = 0;
    if (wanted.top_k > 0 && wanted.top_k < pc.cols) least = threshold(float(wanted.top_k), false);
    if (wanted.top_p < 1.0) least = threshold(wanted.top_p, true);
    if (wanted.min_p > kLeastMass) least = max(least, ordered(best + temperature * accurate_log(wanted.min_p)));

    weigh_tiles(temperature == 1.0 && least == 0);
    const uvec4 words = philox(uvec4(positions[place], wanted.sample_index, wanted.source_low, wanted.source_high),
                               uvec2(wanted.seed_low, wanted.seed_high));
    const uint block = draw(kBlocks, 0, (pc.tiles + kBlockTiles - 1) / kBlockTiles, unit_interval(words.x));
    const uint tile = draw(kTiles, block * kBlockTiles, min((block + 1) * kBlockTiles, pc.tiles),
                           unit_interval(words.y));
    const uint column = draw(kColumns, tile * TOPK_TILE, min((tile + 1) * TOPK_TILE, pc.cols), unit_interval(words.z));
    if (gl_LocalInvocationIndex != 0) return;
    values[row] = x[row * pc.stride + column];
    columns[row] = column;
}
