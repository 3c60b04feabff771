// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace dragoman::download {

// What an archive may become at most.
struct UnpackLimits {
    uint64_t bytes = 64ull << 30;  // of all members; also at most what the disk has
    uint64_t files = 10'000;
    double ratio = 200;            // unpacked over packed bytes, beyond the first 64 MiB
};

struct Unpacked {
    std::string name;   // relative, with '/'
    uint64_t bytes = 0;
    std::string sha256;
};

// Unpacks a zip or tar archive (plain, gzip, zstd, xz, bzip2) into an empty folder, leaving out a folder that all members
// are under. Refuses by name (bad_model): absolute names, "..", links, devices, names that repeat (in any case), bytes,
// files or ratio beyond the limits, data that is cut off or broken. `go_on` is asked now and then; false: cancelled.
std::vector<Unpacked> unpack_archive(const std::filesystem::path& archive, const std::filesystem::path& folder,
                                     const UnpackLimits& limits, const std::function<bool()>& go_on);

// Unpacks one .gz or .zst file to `target` likewise (known by its first bytes, not its name).
Unpacked unpack_file(const std::filesystem::path& packed, const std::filesystem::path& target,
                     const UnpackLimits& limits, const std::function<bool()>& go_on);

}  // namespace dragoman::download
