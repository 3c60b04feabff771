// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace dragoman::formats {

// A tensor as a PyTorch state dict describes it: a strided view of a storage, all in elements.
struct TorchTensor {
    std::string type;     // of the storage, as safetensors files name it: "F32" ...
    std::string storage;  // the name of its file under data/
    uint64_t storage_elements = 0;
    uint64_t offset = 0;
    std::vector<uint32_t> shape;
    std::vector<uint64_t> strides;  // as many as shape
};

struct TorchStorage {
    std::string type;
    uint64_t elements = 0;
};

using TorchStateDict = std::map<std::string, TorchTensor, std::less<>>;

struct TorchPickle {
    TorchStateDict tensors;                // of a dictionary
    std::map<std::string, int64_t> numbers;  // of a dictionary: whole numbers and booleans
    std::vector<std::string> texts;        // of a list
    std::map<std::string, TorchStorage> storages;
    uint64_t size_bytes = 0;               // the pickle's, which may be followed by something else
};

enum class TorchRoot { dictionary, list };

// Reads a pickle of torch.save: the opcodes of protocol 2 that it writes for tensors in dictionaries.
// Nothing is executed; what a pickle refers to beyond tensors, parameters, storages and ordered dictionaries is refused
// by its name. Every view lies within its storage as described and has at most as many elements. `file` opens the
// messages. Throws bad_model and unsupported.
TorchPickle read_torch_pickle(const std::string& file, std::span<const std::byte> pickle,
                              TorchRoot expected = TorchRoot::dictionary);

}  // namespace dragoman::formats
