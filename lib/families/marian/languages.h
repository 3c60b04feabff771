// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "files/file_set.h"

namespace dragoman::families {

// What the files beside a model of Marian's say of its languages.
struct MarianLanguages {
    std::vector<std::string> source{}, target{};
    std::string version{};
};

// metadata.json, else model_info.json, else "deen" in model.deen.intgemm.alphas.bin.
MarianLanguages read_marian_languages(const FileSet& files, std::string_view model);

}  // namespace dragoman::families
