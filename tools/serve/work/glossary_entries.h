// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace serve::work {

// Throws Problem: an empty term, one with control characters, a source twice. `lines`: of a file that they came from;
// empty: their places count.
void check_entries(const std::vector<std::pair<std::string, std::string>>& entries,
                   const std::vector<std::size_t>& lines = {});
// The table that dragoman_glossary_read() takes.
std::string library_table(const std::vector<std::pair<std::string, std::string>>& entries);

}  // namespace serve::work
