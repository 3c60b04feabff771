// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace cli {

// The name that was most likely meant by a text: the one to which fewest letters must be inserted, deleted, changed or
// swapped with their neighbours. Empty: that would be more than two, and more than a third of the text.
std::string nearest(const std::string& text, const std::vector<std::string>& names);

}  // namespace cli
