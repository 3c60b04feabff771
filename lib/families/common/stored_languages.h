// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/file_set.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// Languages that the files of a publisher do not say, and its registry does: the store keeps them beside the files of a
// model of one pair, and OPUS-MT's archives, for example, have no others.
void read_stored_languages(const FileSet& files, spec::ModelSpec& spec);

}  // namespace dragoman::families
