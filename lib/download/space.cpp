// SPDX-License-Identifier: Apache-2.0
#include "download/space.h"

#include "base/error.h"
#include "base/os/path_text.h"

namespace dragoman::download {
namespace fs = std::filesystem;

void need_space(const fs::path& folder, uint64_t bytes) {
    std::error_code error;
    fs::path place = fs::absolute(folder, error);
    while (!fs::exists(place, error) && place.has_parent_path() && place != place.parent_path())
        place = place.parent_path();
    const fs::space_info space = fs::space(place, error);
    if (error) fail(Status::io_error, "cannot find the free space of {}: {}", text_of(place), error.message());
    if (space.available < bytes)
        fail(Status::io_error, "{}: needs {} bytes on this disk, {} are free: free {} more, or name a folder elsewhere",
             text_of(place), bytes, space.available, bytes - space.available);
}

}  // namespace dragoman::download
