// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "download/unpack.h"

namespace dragoman::download {

// What an archive has become so far, against its limits. Throws bad_model naming the archive.
class UnpackBounds {
public:
    UnpackBounds(std::string archive, const UnpackLimits& limits) : archive_(std::move(archive)), limits_(limits) {}

    // A member's name as it may be used: with '/', without "." and empty parts. Refuses what leads elsewhere.
    std::string checked_name(const std::string& name) const;
    void count_member();
    void add_name(const std::string& name);                  // refuses one that was there, in any case
    void announce(const std::string& name, uint64_t bytes) const;  // a size as the archive states it
    void add_bytes(uint64_t bytes, uint64_t packed_so_far);

private:
    const std::string archive_;
    const UnpackLimits& limits_;
    std::set<std::string> names_;
    uint64_t members_ = 0, bytes_ = 0;
};

}  // namespace dragoman::download
