// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragoman {

// Where the members of a zip archive begin, in the order of its directory; libzip does not tell. With these offsets the
// bytes of stored members can be used directly. An archive that is unusual in any way gives an empty list. Offsets are
// only checked to be inside the archive: compare sizes and checksums before use.
std::vector<uint64_t> zip_data_offsets(std::span<const std::byte> archive);

}  // namespace dragoman
