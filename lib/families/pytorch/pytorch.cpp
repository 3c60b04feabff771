// SPDX-License-Identifier: Apache-2.0
#include "families/pytorch/pytorch.h"

#include <algorithm>

#include "base/error.h"
#include "families/pytorch/description.h"
#include "families/pytorch/pytorch_tensors.h"
#include "families/pytorch/pytorch_vocabulary.h"

namespace dragoman::families {
namespace {

// One of several state dicts that a description serves.
bool is_state_dict(const std::string& name) {
    return std::ranges::any_of(std::initializer_list<const char*>{".pt", ".pth", ".safetensors", ".bin"},
                               [&](const char* ending) { return name.ends_with(ending); });
}

}  // namespace

bool is_pytorch(const FileSet& files) {
    if (!files.has(kPyTorchDescription)) return false;
    return files.chosen().empty() || files.chosen() == kPyTorchDescription || is_state_dict(files.chosen());
}

spec::ModelSpec load_pytorch(const FileSet& files) {
    const PyTorchDescription description = read_pytorch_description(files);
    const auto checkpoint = formats::open_checkpoint(files, description.weights);
    if (checkpoint->tensors().empty())
        fail(Status::bad_model, "{}: expected a state dict, file has no tensors in its outermost dictionary",
             checkpoint->file());
    spec::ModelSpec spec;
    spec.format = "pytorch";
    spec.family = "nn.Transformer";
    spec.path = files.folder_path();
    spec.owners.push_back(checkpoint);
    take_pytorch_weights(PyTorchState(checkpoint), description, spec);
    take_pytorch_vocabularies(files, description, spec);
    spec.search.beam_size = 1;
    spec.search.min_length = 0;
    if (description.max_length) spec.search.max_length = *description.max_length;
    return spec;
}

}  // namespace dragoman::families
