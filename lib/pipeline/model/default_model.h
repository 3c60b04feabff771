// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace dragoman::pipeline {

// The model to use when none is named: DRAGOMAN_MODEL from the environment, otherwise share/dragoman/models/en-de in
// the folder of this library or program or in one of the folders above it (the build folder, an installation prefix, a
// package of another language). Throws io_error naming where it looked.
std::string default_model();

// Where a model lies: a path as it is, the place of a model's name (store/installed.h), and the default model where `given`
// is empty. Throws what both do.
std::filesystem::path place_of_model(const std::string& given);

// Only the search in folders, starting at `folder`; empty when there is none.
std::filesystem::path shipped_model(const std::filesystem::path& folder);

}  // namespace dragoman::pipeline
