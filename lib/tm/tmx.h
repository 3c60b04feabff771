// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "tm/segments.h"

namespace dragoman::tm {

using TakeUnit = std::function<void(std::vector<Segment>)>;

// Translation memories (TMX 1.4 and before, in any encoding that expat reads). Text of `hi` is text; the content of
// other elements in segments is code, and left out. Throws invalid_argument naming the line for text that is not
// well-formed, declares entities, is no TMX, or nests too deep.
void read_tmx(std::string_view bytes, const TakeUnit& take);
// Reads from a file of any size; also throws io_error. Messages begin with the path.
void read_tmx_file(const std::filesystem::path& path, const TakeUnit& take);

// Replaces a file of this name. Characters that XML does not allow are left out. `counts`: how often each unit was used,
// which is said where it is more than once; empty: nobody counted. Throws io_error.
void write_tmx_file(const std::filesystem::path& path, const std::vector<std::vector<Segment>>& units,
                    std::span<const uint64_t> counts = {});

}  // namespace dragoman::tm
