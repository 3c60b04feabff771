// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace dragoman::model {

// A tensor as a PyTorch state dict describes it: a strided view of a storage, all in elements.
struct TorchTensor {
    std::string type;     // of the storage, as safetensors files name it: "F32" ...
    std::string storage;  // the name of its file under data/
    uint64_t storage_elements = 0;
    uint64_t offset = 0;
    std::vector<uint32_t> shape;
    std::vector<uint64_t> strides;  // as many as shape
};

using TorchStateDict = std::map<std::string, TorchTensor, std::less<>>;

// Reads the pickle of a state dict: the opcodes of protocol 2 that torch.save writes for tensors in dictionaries.
// Nothing is executed; what a pickle refers to beyond tensors, parameters, storages and ordered dictionaries is refused
// by its name. Every view lies within its storage as described and has at most as many elements. `file` opens the
// messages. Throws bad_model and unsupported.
TorchStateDict read_torch_pickle(const std::string& file, std::span<const std::byte> pickle);

}  // namespace dragoman::model
