// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "files/file_set.h"

namespace dragoman::spec {

// The licence of a model according to its files: the first 4 KiB of a licence file (LICENSE, LICENCE or COPYING, with
// or without .txt or .md), otherwise what README.md names ("license: cc-by-4.0"), otherwise "". UTF-8.
std::string read_license(const FileSet& files);

// The languages among tokens like ">>de<<", without the signs, in order.
std::vector<std::string> languages_in(std::span<const std::string> tokens);

}  // namespace dragoman::spec
