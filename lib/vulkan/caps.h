// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dragoman::vulkan {

enum class DeviceKind : uint8_t { discrete, integrated, virtual_gpu, cpu, other };  // as in the C API

// One shape that VK_KHR_cooperative_matrix offers for f16 operands and f32 sums at subgroup scope.
struct CoopMatrixShape {
    uint32_t m, n, k;
};

// The sizes that VK_NV_cooperative_matrix2 takes for f16 operands and f32 sums: a workgroup of so many invocations has
// matrices in multiples of these.
struct FlexibleMatrices {
    uint32_t m, n, k, invocations;
};

// Memory of a device that buffers may lie in (memory_room()) at the time of asking.
struct DeviceMemory {
    uint64_t heap_bytes = 0;
    uint64_t budget_bytes = 0;  // what this process may use
    uint64_t used_bytes = 0;    // what this process uses
    bool measured = false;      // the driver reports it; otherwise the budget is all of it and the use 0
};

// Facts about a device, decided once. Operations ask for facts; no "use fast path" flag is passed down.
struct Caps {
    uint32_t index = 0;               // position in list_devices()
    std::string name;                 // "llvmpipe (LLVM 15.0.6, 256 bits)"
    std::string driver;               // "Mesa 22.3.6 (LLVM 15.0.6)"
    std::array<uint8_t, 16> uuid{};
    DeviceKind kind = DeviceKind::other;
    uint32_t vendor_id = 0, device_id = 0, api_version = 0, driver_version = 0;
    uint64_t device_memory_bytes = 0;  // DeviceMemory::heap_bytes
    bool unified_memory = false;       // is_unified() in memory_room.h
    uint32_t needs_met = 0;            // ShaderNeeds this device fulfils
    bool f16 = false;                  // 16-bit storage and arithmetic: f16 variants run
    bool integer_dot = false;
    bool integer_dot_accelerated = false;  // products of four packed signed bytes are instructions
    uint32_t subgroup_size = 1;        // in pipelines that depend on it
    bool subgroup_size_sure = false;   // otherwise pipelines may run in smaller subgroups
    uint32_t max_workgroup_invocations = 128;
    uint32_t max_shared_bytes = 16384;
    uint64_t max_storage_range_bytes = 128u << 20;  // size of the largest buffer that can be bound and allocated
    uint32_t storage_alignment = 256;  // minStorageBufferOffsetAlignment
    uint32_t max_texels = 0;  // texels in a texel buffer; 0: not used on this device (only CPU devices gain)
    bool timestamps = false;
    double timestamp_period_ns = 1.0;
    bool orders_workgroups = true;  // workgroups of one dispatch can read what others have written (driver_faults.h)
    std::vector<CoopMatrixShape> coop_shapes;  // empty: no cooperative matrices
    std::vector<FlexibleMatrices> flexible_matrices;  // empty: no cooperative matrices of that kind
    uint32_t coop_subgroup_size = 0;  // in pipelines with cooperative matrices; all subgroups are full
    bool is_cpu() const { return kind == DeviceKind::cpu; }
};

}  // namespace dragoman::vulkan
