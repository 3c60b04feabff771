// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace serve::work {

// A unit of a translation memory: what it says in each of its languages.
struct TmxUnit {
    std::vector<std::pair<std::string, std::string>> variants;  // language as it is written, text
    std::uint64_t count = 1;  // how often it was used, where the file says so ("usagecount")
};

// The units of a TMX file that the library has read before, so that it is known to be well-formed and to declare no
// entities; `take` false ends it. Gives the source language of its header; empty: there is none.
std::string read_tmx_units(std::string_view utf8, const std::function<bool(const TmxUnit&)>& take);

// The file in UTF-8: it may be in UTF-16 or Latin-1. Throws Problem (unsupported_type) for others.
std::string tmx_in_utf8(std::string_view bytes);

}  // namespace serve::work
