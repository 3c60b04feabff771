// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "files/file_set.h"

namespace dragoman::families {

// What files of another program's are, and what to get instead, for a set that no form recognises: "onnx/model.onnx is
// an ONNX graph ...". Empty: there are none that are known.
std::string describe_foreign_files(const FileSet& files);

// What keeps a folder from being a model, although it has one or nearly does: weights are missing, or there are several
// models, or an archive. Empty: none of that.
std::string describe_incomplete_model(const FileSet& files);

}  // namespace dragoman::families
