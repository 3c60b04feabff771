// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace cli {

// The arguments behind the program's name, with texts behind the values of --models, --weights and --route moved to the
// front of their command's arguments, since these options take all words that follow as their values. Texts are words that
// cannot be such values: no numbers, or no file's names that have white space or end as sentences do.
std::vector<std::string> texts_first(int argc, const char* const* argv);

}  // namespace cli
