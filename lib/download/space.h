// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace dragoman::download {

// Throws io_error with both numbers where the disk of `folder` (or of its nearest parent that exists) has fewer free bytes.
void need_space(const std::filesystem::path& folder, uint64_t bytes);

}  // namespace dragoman::download
