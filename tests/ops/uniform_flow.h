// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>

namespace dragoman::test {

// Whose parts of a grid take different ways.
enum class Apart : uint8_t { invocations, workgroups };

// The barriers of a workgroup, of memory too, that only some of these may reach: what is under a condition, in a loop or
// behind a return that depends on which one it is. Counts too many rather than too few; what a variable or shared memory
// holds is taken for the same everywhere if nothing that is stored or asked for depends on it. Null where functions were
// not inlined, since the build has no spirv-opt.
std::optional<uint32_t> barriers_apart(std::span<const uint32_t> code, Apart apart);

}  // namespace dragoman::test
