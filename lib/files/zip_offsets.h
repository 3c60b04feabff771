// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragoman {

// Where the members of a zip archive begin, by their place in its directory, which libzip does not tell: of what is
// stored, the bytes themselves can then be used. An archive that is unusual in any way gives an empty list, and nothing
// here is checked but that it lies inside: compare sizes and checksums before use.
std::vector<uint64_t> zip_data_offsets(std::span<const std::byte> archive);

}  // namespace dragoman
