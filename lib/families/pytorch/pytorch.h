// SPDX-License-Identifier: Apache-2.0
// Room "pytorch": state dictionaries of PyTorch with the JSON file in which their author describes them.
// It knows nothing of other publishers' files.
#pragma once

#include "spec/model_spec.h"

namespace dragoman::families {

// Networks made of PyTorch's own layers (nn.Transformer, nn.TransformerEncoder and nn.TransformerDecoder): a state dict
// and dragoman.json, which says what tensors do not tell (docs/pytorch.md).
bool is_pytorch(const FileSet& files);
spec::ModelSpec load_pytorch(const FileSet& files);

}  // namespace dragoman::families
