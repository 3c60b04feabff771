// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

namespace dragoman::test {

struct LibraryFile {
    std::set<std::string> exports;  // NAME, or NAME@@OTHER where its version is not the one expected
    std::string own_name;           // by which programs find it
};

// `version`: that each symbol must have, where symbols have one.
LibraryFile read_library(const std::string& path, const std::string& version);

}  // namespace dragoman::test
