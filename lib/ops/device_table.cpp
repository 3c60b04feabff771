// SPDX-License-Identifier: Apache-2.0
#include "ops/device_table.h"

#include "ops/matmul.h"

namespace dragoman::ops {
namespace {

constexpr CoopmatBlocking kTiny[] = {{8, 64, 2, 1}, {16, 16, 1, 2, 2, 16}, {8, 64, 1, 1, 2}};  // CPUs compile slowly
// NVIDIA's registers hold 64 x 64 sums per subgroup; 32 x 64 keep AMD's and Intel's occupancy up. With few rows,
// subgroups divide the inputs. Measured on an H100: bench/results/2026-11-23-h100.md.
constexpr CoopmatBlocking kWide[] = {{64, 64, 2, 2},        {32, 64, 2, 2},        {32, 32, 2, 2, 2, 64},
                                     {32, 64, 1, 1, 4, 32}, {16, 64, 1, 1, 4, 32}, {16, 32, 1, 1, 4, 64}};
constexpr CoopmatBlocking kNarrow[] = {{32, 64, 4, 2},    {32, 64, 2, 2},    {32, 64, 2, 1, 2},
                                       {32, 64, 1, 1, 4}, {16, 64, 1, 1, 4}, {16, 32, 1, 1, 4}};
// Two workgroups' inputs of 32 for one panel leave AMD's SIMDs with two or three subgroups (bench/results).
constexpr CoopmatBlocking kAmd[] = {{32, 64, 4, 2},        {32, 64, 2, 2},        {32, 64, 2, 1, 2, 16},
                                    {32, 64, 1, 1, 4, 16}, {16, 64, 1, 1, 4, 16}, {16, 32, 1, 1, 4, 32}};

constexpr DeviceTable kTables[] = {{kFewRows, 2, 8, 0, kTiny},    {128, 4, 128, 0, kWide},
                                   {kFewRows, 4, 64, 0, kAmd},    {kFewRows, 4, 64, 2, kNarrow},
                                   {kFewRows, 2, 32, 3, kNarrow}, {kFewRows, 4, 64, 0, kNarrow}};

}  // namespace

DeviceClass device_class(const vulkan::Caps& caps) {
    if (caps.is_cpu()) return DeviceClass::cpu;
    switch (caps.vendor_id) {
        case 0x10de: return DeviceClass::nvidia;
        case 0x1002: return DeviceClass::amd;
        case 0x8086: return DeviceClass::intel;
        case 0x13b5:  // Arm
        case 0x5143:  // Qualcomm
        case 0x1010:  // Imagination
        case 0x14e4: return DeviceClass::mobile;  // Broadcom
    }
    return DeviceClass::other;
}

const DeviceTable& device_table(const vulkan::Caps& caps) { return kTables[std::size_t(device_class(caps))]; }

}  // namespace dragoman::ops
